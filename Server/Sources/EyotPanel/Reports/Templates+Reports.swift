extension Templates {
    static let reports = [
        "reports": """
        <div><h1>After</h1><div class="sub">What became of the cards, in numbers that stay when the activity is removed.</div></div>
        {{^hasRows}}<p class="empty">No activity has been declared yet.</p>{{/hasRows}}
        {{#hasRows}}<table><thead><tr><th scope="col">Activity</th><th scope="col" class="t">State</th><th scope="col" class="wide">Began</th><th scope="col">Ended</th></tr></thead><tbody>
        {{#rows}}<tr><td class="name"><a href="{{link}}"><bdi>{{name}}</bdi></a><span>{{details}}</span></td><td class="t"><span class="tag {{tone}}">{{state}}</span> <span class="sub">{{kept}}</span></td><td class="wide">{{#began}}<time datetime="{{machine}}">{{text}}</time>{{/began}}</td><td>{{#ended}}<time datetime="{{machine}}">{{text}}</time>{{/ended}}{{^ended}}–{{/ended}}</td></tr>{{/rows}}
        </tbody></table>{{/hasRows}}
        {{#next}}<p><a class="btn" href="{{next}}">Older ones</a></p>{{/next}}
        """,
        "report": """
        <div class="bar"><div><h1>Report of <bdi>{{name}}</bdi></h1><div class="sub">{{details}} · {{state}}{{#began}} · from <time datetime="{{machine}}">{{text}}</time>{{/began}}{{#ended}} to <time datetime="{{machine}}">{{text}}</time>{{/ended}}</div></div>
        <div class="bar end"><a class="btn" href="{{csv}}">CSV</a><a class="btn" href="{{json}}">JSON</a><a class="btn" href="{{link}}">Activity</a></div></div>
        <section class="cards five">{{#figures}}<div class="card"><div class="k">{{name}}</div><div class="v">{{value}} <small>{{unit}}</small></div></div>{{/figures}}</section>
        <form class="filters" method="get" action="{{action}}">{{#appParameter}}<input type="hidden" name="app" value="{{appParameter}}">{{/appParameter}}<input type="hidden" name="generation" value="{{generation}}"><label>Compare with<input name="with" value="{{with}}" dir="auto" autocomplete="off" placeholder="name of another activity"></label><button class="btn">Compare</button></form>
        <div class="two"><section class="card"><h2>Funnel{{#other}} <span class="sub">beside <bdi>{{other}}</bdi></span>{{/other}}</h2><div class="funnel{{#other}} compared{{/other}}">{{#funnel}}{{>report.line}}{{/funnel}}</div></section>
        <div class="stack"><section class="card"><h2>Time until</h2><table class="plain"><thead><tr><th scope="col">Since declared</th><th scope="col">50 %</th><th scope="col">95 %</th><th scope="col">99 %</th><th scope="col" class="wide">Longest</th><th scope="col">Of</th></tr></thead><tbody>{{#ages}}<tr><td><bdi>{{name}}</bdi></td><td>{{p50}}</td><td>{{p95}}</td><td>{{p99}}</td><td class="wide">{{max}}</td><td class="sub">{{count}}</td></tr>{{/ages}}</tbody></table><p class="foot">Accepted says nothing of screens. Only phones on which the app runs report what they show.</p></section>
        <section class="card"><h2>Alerts</h2><div class="funnel{{#other}} compared{{/other}}">{{#alerts}}{{>report.line}}{{/alerts}}</div></section></div></div>
        {{#hasPictures}}<section class="pictures">{{#pictures}}<figure class="card"><figcaption>{{title}}</figcaption>{{{svg}}}</figure>{{/pictures}}</section><p class="foot">Times are UTC. Older spans are longer than newer ones.</p>{{/hasPictures}}
        <section class="card"><h2>What Apple said</h2><div class="funnel{{#other}} compared{{/other}}">{{#counts}}{{>report.line}}{{/counts}}</div></section>
        {{#tables}}<section><h2>{{title}}</h2><div class="scroll" tabindex="0" role="region" aria-label="{{title}}"><table class="even"><thead><tr><th scope="col">{{head}}</th>{{#columns}}<th scope="col">{{.}}</th>{{/columns}}</tr></thead><tbody>{{#rows}}<tr><td><bdi>{{name}}</bdi></td>{{#values}}<td>{{.}}</td>{{/values}}</tr>{{/rows}}</tbody></table></div></section>{{/tables}}
        """,
        "report.line": """
        <div><span>{{name}}</span>{{{bar}}}<b>{{count}}</b><span class="sub">{{share}}</span>{{#other}}<b class="sub">{{compared}}</b><span class="sub">{{comparedShare}}</span>{{/other}}</div>
        """,
    ]
}
