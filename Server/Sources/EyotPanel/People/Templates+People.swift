extension Templates {
    static let people = [
        "people": """
        <div class="bar"><h1>People</h1></div>
        <form action="{{action}}" class="ask">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}
        <label>User or device<input type="search" name="q" value="{{typed}}" maxlength="256" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="An id, or how it begins"></label>
        <button class="btn primary">Find</button></form>
        {{#searched}}<p class="sub">Found for <b><bdi>{{searched}}</bdi></b></p>{{/searched}}
        <section class="cards four">{{#figures}}<div class="card"><div class="k">{{name}}</div><div class="v">{{value}} <small>{{share}}</small></div></div>{{/figures}}</section>
        <nav class="tabs" aria-label="What is listed">{{#tabs}}<a href="{{link}}"{{#isOn}} class="on" aria-current="page"{{/isOn}}>{{title}}</a>{{/tabs}}</nav>
        {{#showsUsers}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">User</th><th scope="col" class="t">Tags</th><th scope="col">Attributes</th></tr></thead><tbody>
        {{#users}}<tr><td class="name"><a href="{{link}}"><bdi>{{id}}</bdi></a></td><td class="t">{{#tags}}<span class="tag"><bdi>{{.}}</bdi></span> {{/tags}}{{#more}}{{more}}{{/more}}</td><td>{{attributes}}</td></tr>{{/users}}
        </tbody></table></div>{{/showsUsers}}
        {{#showsDevices}}{{>devices.table}}{{/showsDevices}}
        {{#isEmpty}}<p class="empty">{{empty}}</p>{{/isEmpty}}
        {{#pager}}{{>pager}}{{/pager}}
        """,
        "devices.table": """
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Device</th><th scope="col" class="t">User</th><th scope="col" class="wide">System</th><th scope="col" class="t wide">App</th><th scope="col" class="wide">Language</th><th scope="col" class="wide">Start tokens</th><th scope="col">Last heard of</th></tr></thead><tbody>
        {{#devices}}<tr><td class="name"><a href="{{link}}"><bdi>{{id}}</bdi></a></td><td class="t">{{#user}}<a href="{{userLink}}"><bdi>{{user}}</bdi></a>{{/user}}{{^user}}–{{/user}}</td><td class="wide">{{system}}</td><td class="t wide"><bdi>{{version}}</bdi>{{^isProduction}} <span class="tag info">sandbox</span>{{/isProduction}}</td><td class="wide"><bdi>{{language}}</bdi></td><td class="wide">{{tokens}}</td><td>{{#seenAt}}<time datetime="{{machine}}">{{text}}</time>{{/seenAt}}</td></tr>{{/devices}}
        </tbody></table></div>
        """,
        "cards.table": """
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Card of</th><th scope="col" class="t">Phase</th><th scope="col" class="wide">Should show</th><th scope="col" class="wide">Apple accepted</th><th scope="col">Phone reported</th><th scope="col" class="wide">Behind since</th><th scope="col"><span class="hidden">Why</span></th></tr></thead><tbody>
        {{#cards}}<tr><td class="name"><a href="{{link}}"><bdi>{{activity}}</bdi></a><span>generation {{generation}} · device <a href="{{deviceLink}}">{{device}}</a>{{#fingerprint}} · token {{fingerprint}}{{/fingerprint}}</span></td><td class="t"><span class="tag {{tone}}">{{phase}}</span>{{#reason}}<br><span class="hint"><bdi>{{reason}}</bdi></span>{{/reason}}</td><td class="wide">{{desired}}</td><td class="wide">{{accepted}}</td><td>{{shown}}{{#shownAt}}<br><time class="hint" datetime="{{machine}}">{{text}}</time>{{/shownAt}}</td><td class="wide">{{#behindSince}}<time datetime="{{machine}}">{{text}}</time>{{/behindSince}}{{^behindSince}}–{{/behindSince}}</td><td><a class="btn" href="{{why}}">Why</a></td></tr>{{/cards}}
        </tbody></table></div>
        """,
        "subject.tabs": """
        <nav class="tabs" aria-label="Parts of this page"><a href="{{overview}}"{{^isEvents}} class="on" aria-current="page"{{/isEvents}}>Overview</a>{{#hasEvents}}<a href="{{events}}"{{#isEvents}} class="on" aria-current="page"{{/isEvents}}>Events</a>{{/hasEvents}}</nav>
        """,
        "traits": """
        {{#isEmpty}}<p class="sub">Nothing is said.</p>{{/isEmpty}}<p class="tags">{{#tags}}<span class="tag"><bdi>{{.}}</bdi></span> {{/tags}}</p>
        <dl class="facts">{{#facts}}<dt><bdi>{{name}}</bdi></dt><dd><bdi>{{value}}</bdi></dd>{{/facts}}</dl>
        """,
        "user": """
        <div class="bar"><div><p class="k">User</p><h1><bdi>{{id}}</bdi></h1></div><span class="end bar"><a class="btn primary" href="{{why}}">Why?</a>{{#remove}}<a class="btn danger" href="{{remove}}">Erase</a>{{/remove}}</span></div>
        {{#tabs}}{{>subject.tabs}}{{/tabs}}
        {{#events}}{{>event.list}}{{/events}}
        {{#isOverview}}
        <section><h2>Cards</h2>{{#hasCards}}{{>cards.table}}{{/hasCards}}{{^hasCards}}<p class="empty">No card is kept of this user's phones.</p>{{/hasCards}}</section>
        <section><h2>Devices</h2>{{#hasDevices}}{{>devices.table}}{{/hasDevices}}{{^hasDevices}}<p class="empty">No phone is signed in as this user now.</p>{{/hasDevices}}</section>
        <section class="card"><h2>What the backend says</h2>{{#traits}}{{>traits}}{{/traits}}{{^traits}}<p class="sub">Nothing is said. The user is known by a phone.</p>{{/traits}}</section>
        {{/isOverview}}
        """,
        "device": """
        <div class="bar"><div><p class="k">Device</p><h1><bdi>{{id}}</bdi></h1></div><span class="end bar"><a class="btn primary" href="{{why}}">Why?</a>{{#restore}}<form method="post" action="{{restore}}" class="inline"><input type="hidden" name="token" value="{{formToken}}"><button class="btn">Use {{dead}} refused again</button></form>{{/restore}}{{#remove}}<a class="btn danger" href="{{remove}}">Forget</a>{{/remove}}</span></div>
        {{#tabs}}{{>subject.tabs}}{{/tabs}}
        {{#events}}{{>event.list}}{{/events}}
        {{#isOverview}}
        <div class="two halves"><section class="card"><h2>The phone</h2><dl class="facts">{{#row}}
        <dt>User</dt><dd>{{#user}}<a href="{{userLink}}"><bdi>{{user}}</bdi></a>{{/user}}{{^user}}none{{/user}}{{#proof}} · {{proof}}{{/proof}}</dd>
        <dt>System</dt><dd>{{system}}</dd><dt>App</dt><dd><bdi>{{version}}</bdi></dd><dt>Environment</dt><dd>{{environment}}</dd><dt>Language</dt><dd><bdi>{{language}}</bdi></dd>{{/row}}
        <dt>Allowed</dt><dd>{{permissions}}</dd>
        <dt>First heard of</dt><dd>{{#createdAt}}<time datetime="{{machine}}">{{text}}</time>{{/createdAt}}</dd>
        <dt>Last heard of</dt><dd>{{#row}}{{#seenAt}}<time datetime="{{machine}}">{{text}}</time>{{/seenAt}}{{/row}}</dd></dl></section>
        <section class="card"><h2>Start tokens</h2>{{^hasTokens}}<p class="sub">None: this phone cannot be started remotely. It sends one for each type when the app runs.</p>{{/hasTokens}}
        {{#tokens}}<div class="item"><b><bdi>{{type}}</bdi></b> <span class="tag {{tone}}">{{state}}</span><br><span class="sub"><code>{{fingerprint}}</code> · {{environment}} · set {{#setAt}}<time datetime="{{machine}}">{{text}}</time>{{/setAt}}</span>{{#meaning}}<br><span class="hint"><bdi>{{meaning}}</bdi></span>{{/meaning}}</div>{{/tokens}}</section></div>
        <section><h2>Cards</h2>{{#hasCards}}{{>cards.table}}{{/hasCards}}{{^hasCards}}<p class="empty">No card is kept of this phone.</p>{{/hasCards}}</section>
        <div class="two halves"><section class="card"><h2>What the app says</h2>{{#own}}{{>traits}}{{/own}}</section>
        <section class="card"><h2>What the backend says</h2>{{#backend}}{{>traits}}{{/backend}}</section></div>
        {{/isOverview}}
        """,
    ]
}
