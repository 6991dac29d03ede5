extension Templates {
    /// The templates of what stands around each page.
    static let frame = [
        "frame": """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}} – Eyot</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="{{style}}"><script src="{{script}}" defer></script></head>
        <body{{#live}} data-live="{{live}}"{{/live}}>
        <a class="skip" href="#main">To the page</a>
        <header class="top">
        <a class="brand" href="{{home}}">Eyot</a>
        {{^hasApps}}<span class="app">{{app}}</span>{{/hasApps}}
        {{#hasApps}}<details class="menu app"><summary>{{app}}</summary><ul>{{/hasApps}}{{#apps}}<li><a href="{{link}}"{{#isOn}} aria-current="true"{{/isOn}}>{{title}}</a></li>{{/apps}}{{#hasApps}}</ul></details>{{/hasApps}}
        {{#isProduction}}<span class="env production">PRODUCTION</span>{{/isProduction}}{{^isProduction}}<span class="env sandbox">SANDBOX</span>{{/isProduction}}
        <nav class="sections" aria-label="Sections">{{#sections}}<a href="{{link}}"{{#isOn}} class="on" aria-current="page"{{/isOn}}>{{title}}</a>{{/sections}}</nav>
        <form class="find" action="{{searchAction}}" role="search"><input name="q" type="search" maxlength="200" placeholder="Search  /" aria-label="Search for a user, device, activity, operation or request" autocomplete="off">{{#searchApp}}<input type="hidden" name="app" value="{{searchApp}}">{{/searchApp}}</form>
        <a class="who" href="{{account}}">{{member}} · {{role}}</a>
        <details class="menu more"><summary aria-label="Menu">☰</summary><ul>{{#sections}}<li><a href="{{link}}"{{#isOn}} aria-current="page"{{/isOn}}>{{title}}</a></li>{{/sections}}<li><a href="{{searchAction}}">Search</a></li><li><a href="{{account}}">{{member}} · {{role}}</a></li></ul></details>
        </header>
        <div id="alarms">{{>alarms}}</div>
        {{#hasPages}}<nav class="pages" aria-label="Pages">{{/hasPages}}{{#pages}}<a href="{{link}}"{{#isOn}} class="on" aria-current="page"{{/isOn}}>{{title}}</a>{{/pages}}{{#hasPages}}</nav>{{/hasPages}}
        <main id="main">
        {{#notice}}<p class="notice" role="status">{{notice}}</p>{{/notice}}
        {{{main}}}
        </main>
        </body></html>
        """,
        "token": """
        <input type="hidden" name="token" value="{{formToken}}">
        """,
        "alarms": """
        {{#alarms}}{{>alarm}}{{/alarms}}
        """,
        "alarm": """
        <div class="alarm" role="alert"><p><b>{{head}}</b> {{text}}</p><a class="btn" href="{{link}}">{{action}}</a></div>
        """,
        "bare": """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}} – Eyot</title>
        <link rel="icon" href="data:,"><link rel="stylesheet" href="{{style}}"></head>
        <body class="bare"><header class="top"><span class="brand">Eyot</span></header>
        <main id="main" class="narrow">{{{main}}}</main></body></html>
        """,
        "failure": """
        <h1>{{title}}</h1>
        <section class="card failure"><p class="lead">{{sentence}}</p>
        {{#field}}<p>Field: <code>{{field}}</code></p>{{/field}}
        <p class="sub">{{cause}} {{remedy}}</p>
        <p class="foot">{{status}} · <code>{{code}}</code></p></section>
        {{#back}}<p><a class="btn" href="{{back}}">Back</a></p>{{/back}}
        """,
    ]
}
