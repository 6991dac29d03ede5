extension Templates {
    static let log = [
        "log": """
        <div class="bar"><h1>Log</h1>{{#isLive}}<span class="sub">follows what happens</span>{{/isLive}}</div>
        <nav class="tabs" aria-label="Kinds of events">{{#tabs}}<a href="{{link}}"{{#isOn}} class="on" aria-current="page"{{/isOn}}>{{title}}</a>{{/tabs}}</nav>
        <form action="{{action}}" class="ask pairs">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<input type="hidden" name="tab" value="{{tab}}">
        <label>Activity<input name="activity" value="{{typedActivity}}" maxlength="256" autocomplete="off"></label>
        <label>User<input name="user" value="{{typedUser}}" maxlength="256" autocomplete="off"></label>
        <label>Device<input name="device" value="{{typedDevice}}" maxlength="20" inputmode="numeric" autocomplete="off"></label>
        {{>kinds}}
        <label>Since<select name="since">{{#ranges}}<option value="{{name}}"{{#isOn}} selected{{/isOn}}>{{title}}</option>{{/ranges}}</select></label>
        <button class="btn">Filter</button>{{#isFiltered}}<a href="{{clear}}">Clear</a>{{/isFiltered}}</form>
        {{#problem}}{{>problem}}{{/problem}}
        <section class="card"><div id="events">{{>log.rows}}</div></section>
        {{#pager}}{{>pager}}{{/pager}}
        """,
        "log.rows": """
        {{#isEmpty}}<p class="sub">Nothing of this kind has happened in the events looked at.</p>{{/isEmpty}}<ol class="story log">{{#rows}}{{>event}}{{/rows}}</ol>
        """,
        "kinds": """
        <label>Event<select name="type"><option value="">all of them</option>{{#kinds}}<optgroup label="{{title}}">{{#options}}<option value="{{value}}"{{#isOn}} selected{{/isOn}}>{{title}}</option>{{/options}}</optgroup>{{/kinds}}</select></label>
        """,
        "event.list": """
        <form action="{{action}}" class="ask pairs">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}<input type="hidden" name="tab" value="events">{{>kinds}}<button class="btn">Filter</button></form>
        <section class="card">{{#isEmpty}}<p class="sub">Nothing has happened that is still kept.</p>{{/isEmpty}}<ol class="story log">{{#rows}}{{>event}}{{/rows}}</ol></section>
        {{#pager}}{{>pager}}{{/pager}}
        """,
        "event": """
        <li class="{{tone}}">{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}{{^at}}<span></span>{{/at}}<i></i><div><b>{{meaning}}</b>{{#reason}} <span class="tag"><bdi>{{reason}}</bdi></span>{{/reason}}<p class="meta">{{#activity}}<a href="{{activityLink}}"><bdi>{{activity}}</bdi></a> · {{/activity}}{{#user}}<a href="{{userLink}}"><bdi>{{user}}</bdi></a> · {{/user}}{{#device}}<a href="{{deviceLink}}">device {{device}}</a> · {{/device}}{{#details}}{{details}} · {{/details}}<code>{{kind}}</code>{{#whyLink}} · <a href="{{whyLink}}">why</a>{{/whyLink}}</p>{{#reasonMeaning}}<p class="meta">{{reasonMeaning}}</p>{{/reasonMeaning}}{{#remedy}}<p class="meta do">{{remedy}}</p>{{/remedy}}</div></li>
        """,
    ]
}
