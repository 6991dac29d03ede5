extension Templates {
    /// The page of one activity.
    static let activities = [
        "activity": """
        <div id="activity-head">{{>activity.head}}</div>
        <section class="cards five" id="activity-figures" aria-label="Now">{{>activity.figures}}</section>
        <div class="two"><div class="stack"><section class="card" id="activity-card">{{>activity.card}}</section><div class="stack" id="activity-way">{{>activity.way}}</div></div>
        <div class="stack"><section class="card" id="activity-story">{{>activity.story}}</section><div class="stack" id="activity-numbers">{{>activity.numbers}}</div></div></div>
        {{#mayHalt}}<form id="halt" method="post" hidden><input type="hidden" name="token" value="{{token}}"></form>{{/mayHalt}}
        """,
        "activity.head": """
        <div class="bar"><div><h1><bdi>{{name}}</bdi> <span class="tag {{tagTone}}">{{tag}}</span></h1><div class="sub">{{details}}</div></div>
        <div class="bar end">{{#mayUpdate}}<a class="btn primary" href="{{update}}" data-key="update">Update</a><a class="btn danger" href="{{end}}" data-key="end">End</a>{{/mayUpdate}}{{#mayHalt}}<button class="btn{{^isHalted}} danger{{/isHalted}}" form="halt" formaction="{{haltAction}}" data-key="halt">{{#isHalted}}Resume{{/isHalted}}{{^isHalted}}Halt{{/isHalted}}</button>{{/mayHalt}}<a class="btn" href="{{cards}}" data-key="cards">Cards</a><a class="btn" href="{{report}}" data-key="report">Report</a></div></div>
        {{#halted}}<section class="card why bad"><p class="lead">{{halted}}</p></section>{{/halted}}
        {{#canary}}<p class="notice {{tone}}">{{sentence}} {{#moment}}<time datetime="{{machine}}">{{text}}</time>{{/moment}}</p>{{/canary}}
        {{#findings}}<section class="card why {{tone}}"><p><b>{{sentence}}</b></p><p class="sub">{{evidence}}</p></section>{{/findings}}
        """,
        "activity.figures": """
        {{#figures}}<div class="card"><div class="k">{{name}}</div><div class="v">{{value}} <small>{{unit}}</small></div></div>{{/figures}}
        """,
        "activity.card": """
        <h2>As declared <span class="tag">approximate</span></h2>{{{lockScreen}}}<div class="island-row">{{{island}}}</div><p class="foot">Drawn plainly from the state. The app's own views look different.</p>
        """,
        "activity.story": """
        <h2>Declared</h2>{{^hasStory}}<p class="sub">Nothing was declared. Phones have named the activity.</p>{{/hasStory}}
        <ol class="story">{{#story}}{{>activity.line}}{{/story}}</ol>{{#hasEarlier}}<details data-key="earlier"><summary>Earlier</summary><ol class="story">{{#earlier}}{{>activity.line}}{{/earlier}}</ol></details>{{/hasEarlier}}
        """,
        "activity.line": """
        <li class="{{tone}}">{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}<i></i><span><b>{{#link}}<a href="{{link}}">{{/link}}{{title}}, version {{version}}{{#link}}</a>{{/link}}</b>{{#by}} · <bdi>{{by}}</bdi>{{/by}}{{#scope}} · {{scope}}{{/scope}}{{#alert}} · alert <bdi>{{alert}}</bdi>{{/alert}}{{#changes}}<span class="change"><bdi>{{name}}</bdi> {{#from}}<bdi>{{from}}</bdi> → {{/from}}<bdi>{{to}}</bdi></span>{{/changes}}{{#more}}<span class="change">{{more}}</span>{{/more}}</span></li>
        """,
        "activity.way": """
        {{#numbers}}<section class="card"><h2>Funnel</h2><div class="funnel">{{#funnel}}<div>{{#link}}<a href="{{link}}">{{name}}</a>{{/link}}{{^link}}<span>{{name}}</span>{{/link}}{{{bar}}}<b>{{count}}</b><span class="sub">{{share}}</span></div>{{/funnel}}</div></section>
        {{#hasBuilds}}<section class="card"><h2>By build of the app</h2><table class="plain"><thead><tr><th scope="col">Build</th><th scope="col">Appeared</th><th scope="col">Shown</th><th scope="col">Refused</th></tr></thead><tbody>{{#builds}}<tr><td><a href="{{link}}"><bdi>{{name}}</bdi></a></td><td>{{appeared}}</td><td>{{shown}}</td><td>{{refused}}</td></tr>{{/builds}}</tbody></table></section>{{/hasBuilds}}{{/numbers}}
        """,
        "activity.numbers": """
        {{#numbers}}<section class="card"><h2>Time until</h2><table class="plain"><thead><tr><th scope="col">Since declared</th><th scope="col">50 %</th><th scope="col">95 %</th><th scope="col">99 %</th><th scope="col" class="wide">Of</th></tr></thead><tbody>{{#ages}}<tr><td>{{name}}</td><td>{{p50}}</td><td>{{p95}}</td><td>{{p99}}</td><td class="wide sub">{{count}}</td></tr>{{/ages}}</tbody></table><p class="foot">Accepted says nothing of screens. Only phones on which the app runs report what they show.</p></section>
        {{#hasPhases}}<section class="card"><h2>Cards by phase</h2><dl class="counts">{{#phases}}<div><dt><a href="{{link}}">{{name}}</a> <span class="sub">{{meaning}}</span></dt><dd>{{count}}</dd></div>{{/phases}}</dl></section>{{/hasPhases}}
        {{#hasReasons}}<section class="card"><h2>Reasons</h2><dl class="counts">{{#reasons}}<div><dt><a href="{{link}}"><bdi>{{name}}</bdi></a> <span class="sub">{{meaning}}</span></dt><dd>{{count}}</dd></div>{{/reasons}}</dl></section>{{/hasReasons}}{{/numbers}}
        """,
    ]
}
