extension Templates {
    static let insight = [
        "insight": """
        <h1>Insight</h1>
        {{#showsEvents}}
        <nav class="tabs" aria-label="Kinds of events">{{#groups}}<a href="{{link}}"{{#isOn}} class="on" aria-current="page"{{/isOn}}>{{title}}</a>{{/groups}}</nav>
        <form action="{{action}}" class="ask pairs">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<input type="hidden" name="group" value="{{group}}">
        <label>Time<select name="range">{{#ranges}}<option value="{{name}}"{{#isOn}} selected{{/isOn}}>{{title}}</option>{{/ranges}}</select></label>
        {{>kinds}}
        <label>Activity <span class="sub">all, if empty</span><input name="activity" value="{{typedActivity}}" maxlength="256" autocomplete="off"></label>
        <button class="btn">Show</button></form>
        {{#problem}}{{>problem}}{{/problem}}
        {{#all}}<section class="card"><div class="bar"><h2 class="flat">{{total}} events</h2><span class="sub end">at most {{most}} in {{bucket}}</span></div>{{>bars}}
        <div class="bar hint"><time datetime="{{from.machine}}">{{from.text}}</time><time class="end" datetime="{{until.machine}}">{{until.text}}</time></div></section>
        {{#isEmpty}}<p class="empty">Nothing of this kind was counted in this time.</p>{{/isEmpty}}
        {{^isEmpty}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">What happened</th><th scope="col" class="t wide">Over time</th><th scope="col">Times</th><th scope="col"><span class="hidden">To whom</span></th></tr></thead><tbody>
        {{#rows}}<tr><td class="name">{{meaning}}<span><code>{{kind}}</code>{{#reason}} · <bdi class="{{tone}}">{{reason}}</bdi> {{reasonMeaning}}{{/reason}}</span></td><td class="t wide">{{#bars}}{{>bars}}{{/bars}}</td><td>{{total}}</td><td>{{#who}}<a class="btn" href="{{who}}">Who</a>{{/who}}</td></tr>{{/rows}}
        </tbody></table></div>{{/isEmpty}}{{/all}}
        {{/showsEvents}}
        {{#adoption}}<section><h2>Phones that can show Live Activities, over 30 days</h2><div class="cards four">{{#levels}}<div class="card"><div class="k">{{title}}</div><div class="v">{{count}} <small>{{share}}</small></div>{{#bars}}{{>bars}}{{/bars}}</div>{{/levels}}</div></section>{{/adoption}}
        """,
        "bars": """
        <svg class="bars" viewBox="0 0 {{width}} {{height}}" preserveAspectRatio="none" role="img" aria-label="{{label}}">{{#bars}}<rect class="fill" x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}"><title>{{title}}</title></rect>{{/bars}}</svg>
        """,
        "insight.people": """
        <p><a href="{{back}}">Insight</a></p>
        <div><h1>{{meaning}}</h1><p class="sub"><code>{{kind}}</code>{{#code}} · <span class="tag"><bdi>{{code}}</bdi></span> {{codeMeaning}}{{/code}} · {{range}}, earliest first</p></div>
        {{#isEmpty}}<p class="empty">It has happened to no phone that is still kept.</p>{{/isEmpty}}
        {{^isEmpty}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">User</th><th scope="col" class="t">Device</th><th scope="col">Times</th><th scope="col" class="wide">First</th><th scope="col">Last</th><th scope="col"><span class="hidden">Why</span></th></tr></thead><tbody>
        {{#rows}}<tr><td class="name">{{#user}}<a href="{{userLink}}"><bdi>{{user}}</bdi></a>{{/user}}{{^user}}–{{/user}}</td><td class="t"><a href="{{deviceLink}}">{{device}}</a></td><td>{{count}}</td><td class="wide">{{#firstAt}}<time datetime="{{machine}}">{{text}}</time>{{/firstAt}}</td><td>{{#lastAt}}<time datetime="{{machine}}">{{text}}</time>{{/lastAt}}</td><td><a class="btn" href="{{why}}">Why</a></td></tr>{{/rows}}
        </tbody></table></div>{{/isEmpty}}
        {{#pager}}{{>pager}}{{/pager}}
        """,
    ]
}
