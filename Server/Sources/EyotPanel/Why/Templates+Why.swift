extension Templates {
    static let why = [
        "why": """
        <h1>Why does this phone show that?</h1>
        <form action="{{action}}" class="ask">{{#app}}<input type="hidden" name="app" value="{{app}}">{{/app}}
        <label>User or device<input type="search" name="q" value="{{typed}}" maxlength="256" required autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="An id, as your app knows it"></label>
        <label>Activity <span class="sub">if you know it</span><input name="activity" value="{{typedActivity}}" maxlength="256" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
        <label>Version <span class="sub">if it is not about the newest</span><input name="version" value="{{typedVersion}}" inputmode="numeric" maxlength="10" autocomplete="off"></label>
        <button class="btn primary">Explain</button></form>
        {{#problem}}<section class="card why bad"><p class="lead">{{sentence}}.</p><p class="sub">{{remedy}} <b>{{code}}</b></p></section>{{/problem}}
        {{#isAsked}}<div class="bar"><h2 class="flat"><bdi>{{subject}}</bdi></h2>{{#more}}<a href="{{link}}">{{title}}</a>{{/more}}<button class="btn end" type="button" data-copy="ticket">Copy for the ticket</button></div>{{/isAsked}}
        {{#cards}}<section class="stack">{{#finding}}{{>why.finding}}{{/finding}}{{#story}}{{>why.story}}{{/story}}</section>{{/cards}}
        {{#start}}<section class="card why {{tone}}">{{#startHeading}}<p class="sub">{{startHeading}}</p>{{/startHeading}}<p class="lead">{{#sentence}}{{>timed}}{{/sentence}}</p><p class="sub">{{sureness}} {{remedy}} <b>{{code}}</b></p><ul class="plain sub">{{#evidence}}<li>{{>timed}}</li>{{/evidence}}</ul></section>{{/start}}
        {{#startStory}}{{>why.story}}{{/startStory}}
        {{#hasTries}}<section class="card"><h2>What to try</h2><ul class="plain">{{#tries}}<li>{{.}}</li>{{/tries}}</ul></section>{{/hasTries}}
        {{#hasPhones}}<section><h2>Other phones of this user</h2><div class="stack">{{/hasPhones}}
        {{#phones}}<article class="card why {{finding.tone}}"><p><b>{{#finding.sentence}}{{>timed}}{{/finding.sentence}}</b></p><p class="sub">Device <a href="{{link}}"><bdi>{{device}}</bdi></a> · {{finding.sureness}} {{finding.remedy}} <b>{{finding.code}}</b></p></article>{{/phones}}
        {{#hasPhones}}</div></section>{{/hasPhones}}
        {{#ticket}}<details class="card"><summary>Text for the ticket</summary><pre id="ticket">{{ticket}}</pre></details>{{/ticket}}
        """,
        "why.finding": """
        <article class="card why {{tone}}"><p class="sub"><bdi>{{heading}}</bdi></p><p class="lead">{{#sentence}}{{>timed}}{{/sentence}}</p><p class="sub">{{sureness}} {{remedy}} <b>{{code}}</b></p>
        <ul class="plain sub">{{#evidence}}<li>{{>timed}}</li>{{/evidence}}</ul><p class="foot">{{versions}}{{^isOpen}} · <a href="{{link}}">The story of this card</a>{{/isOpen}}</p></article>
        """,
        "timed": """
        {{#parts}}{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}{{^at}}<bdi>{{text}}</bdi>{{/at}}{{/parts}}
        """,
        "why.story": """
        <section class="card"><h2>The story</h2>{{#isEmpty}}<p class="sub">Nothing has happened that is still kept.</p>{{/isEmpty}}<ol class="story">{{#recent}}{{>why.entry}}{{/recent}}</ol>
        {{#hasOlder}}<details><summary>{{olderCount}} earlier</summary><ol class="story">{{#older}}{{>why.entry}}{{/older}}</ol></details>{{/hasOlder}}</section>
        """,
        "why.entry": """
        <li class="{{tone}}">{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}{{^at}}<span></span>{{/at}}<i></i><span><b><bdi>{{what}}</bdi></b>{{#details}} · <bdi>{{details}}</bdi>{{/details}}</span></li>
        """,
    ]
}
