extension Templates {
    static let types = [
        "types": """
        <div class="bar"><h1>Types</h1><a class="end" href="{{common}}">Profile of all types without one</a></div>
        {{#isEmpty}}<p class="empty">No type is known yet. Push a schema with <code>eyot schema push</code>, or start an activity.</p>{{/isEmpty}}
        {{^isEmpty}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Type</th><th scope="col">Schemas</th><th scope="col" class="t">Profile</th><th scope="col" class="t wide">State</th></tr></thead><tbody>
        {{#types}}<tr><td class="name"><a href="{{link}}"><bdi>{{name}}</bdi></a>{{#isAll}}<span>all types without a profile of their own</span>{{/isAll}}</td><td>{{schemas}}{{#hasNoSchema}} <span class="tag warn">states are not checked</span>{{/hasNoSchema}}</td><td class="t">{{#hasProfile}}own{{/hasProfile}}{{^hasProfile}}–{{/hasProfile}}</td><td class="t wide">{{#haltedSince}}<span class="tag bad">halted</span> since <time datetime="{{machine}}">{{text}}</time>{{/haltedSince}}{{^haltedSince}}{{#isCounted}}in use{{/isCounted}}{{/haltedSince}}</td></tr>{{/types}}
        </tbody></table></div>{{/isEmpty}}
        {{#pager}}{{>pager}}{{/pager}}
        """,
        "type": """
        <div class="bar"><div><p class="k">Type</p><h1><bdi>{{type}}</bdi></h1></div>{{#mayHalt}}<span class="end bar">{{#isHalted}}<form method="post" action="{{resumeAction}}" class="inline"><input type="hidden" name="token" value="{{formToken}}"><button class="btn primary">Resume</button></form>{{/isHalted}}{{^isHalted}}<form method="post" action="{{haltAction}}" class="inline"><input type="hidden" name="token" value="{{formToken}}"><button class="btn danger">Halt this type</button></form>{{/isHalted}}</span>{{/mayHalt}}</div>
        {{#haltedSince}}<p class="problem"><b>Halted.</b> Nothing is sent to cards of this type since <time datetime="{{machine}}">{{text}}</time>. What was declared is kept.</p>{{/haltedSince}}
        {{#hours}}<section><h2>The last 24 hours</h2>{{^isKept}}<p class="empty">No numbers are kept: no activity has had this type.</p>{{/isKept}}{{#isKept}}<div class="cards four">{{#rows}}<div class="card"><div class="k">{{title}}</div><div class="v">{{total}}</div>{{#bars}}{{>bars}}{{/bars}}</div>{{/rows}}</div>{{/isKept}}</section>{{/hours}}
        {{^isAll}}<section class="stack"><h2 class="flat">Schemas by build</h2>{{^hasBuilds}}<p class="empty">None: Eyot cannot check that phones can decode what is declared. Push one with <code>eyot schema push</code>.</p>{{/hasBuilds}}
        {{#canCompare}}<form action="{{action}}" class="ask">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<label>From<select name="from">{{#builds}}<option value="{{value}}"{{#isFrom}} selected{{/isFrom}}>{{name}}</option>{{/builds}}</select></label><label>To<select name="to">{{#builds}}<option value="{{value}}"{{#isTo}} selected{{/isTo}}>{{name}}</option>{{/builds}}</select></label><button class="btn">Compare</button></form>{{/canCompare}}
        {{#comparison}}<div class="card stack" aria-label="What changed"><h2 class="flat">From <bdi>{{from}}</bdi> to <bdi>{{to}}</bdi></h2>
        {{#isSame}}<p class="sub">No member came, went or changed.</p>{{/isSame}}
        <ul class="changes">{{#changes}}<li><span class="tag {{tone}}">{{word}}</span> <code><bdi>{{path}}</bdi></code> <span class="sub">{{#before}}<del><bdi>{{before}}</bdi></del> {{/before}}{{#after}}<ins><bdi>{{after}}</bdi></ins>{{/after}}</span></li>{{/changes}}</ul>
        {{#breaksOlder}}<div><b class="error">States for the newer build may not decode on the older one</b><ul class="plain">{{#onOlder}}<li><code><bdi>{{path}}</bdi></code> {{reason}}</li>{{/onOlder}}</ul></div>{{/breaksOlder}}
        {{#breaksNewer}}<div><b>States for the older build may not decode on the newer one</b><ul class="plain">{{#onNewer}}<li><code><bdi>{{path}}</bdi></code> {{reason}}</li>{{/onNewer}}</ul></div>{{/breaksNewer}}</div>{{/comparison}}
        <div class="stack tight">{{#builds}}<details class="card"><summary><b><bdi>{{name}}</bdi></b> <span class="sub">pushed {{#pushedAt}}<time datetime="{{machine}}">{{text}}</time>{{/pushedAt}}</span></summary><pre>{{schema}}</pre></details>{{/builds}}</div></section>{{/isAll}}
        <form method="post" action="{{profileAction}}" class="card stack"><div><h2 class="flat">Profile</h2><p class="sub">What cards of this type may spend of iOS's budgets. Apple publishes no numbers.</p></div><input type="hidden" name="token" value="{{formToken}}">
        <fieldset class="fields rows"{{^mayWrite}} disabled{{/mayWrite}}>{{#profile}}{{#fields}}<label><span>{{title}}</span><input name="{{name}}" value="{{value}}" inputmode="decimal" autocomplete="off"{{#wrong}} aria-invalid="true" aria-describedby="wrong-{{name}}"{{/wrong}}><span class="hint">{{hint}}</span>{{#wrong}}<span class="error" id="wrong-{{name}}">{{wrong}}.</span>{{/wrong}}</label>{{/fields}}{{/profile}}</fieldset>
        {{#problem}}{{>problem}}{{/problem}}
        {{#mayWrite}}<div class="bar"><button class="btn primary">Save</button></div>{{/mayWrite}}</form>
        """,
    ]
}
