extension Templates {
    /// The templates of the page of an app and its keys.
    static let app = [
        "app": """
        <h1>{{name}}</h1>
        <div class="two">
        <section class="card stack"><h2>App</h2>
        <dl class="facts"><dt>Bundle id</dt><dd><code>{{bundleID}}</code></dd><dt>Devices</dt><dd>{{devices}}</dd><dt>Activities by default</dt><dd>{{activities}}</dd><dt>App key, for phones</dt><dd><code>{{appKey}}</code></dd></dl>
        </section>
        <section class="card stack" id="pushing"><h2>Pushing</h2>
        {{^haltedSince}}<p>Pushes leave. A halt stops all of them at once. What is declared meanwhile is kept, and goes out when you resume.</p>
        {{#mayHalt}}<form method="post" action="{{haltAction}}">{{>token}}<button class="btn danger">Halt the app</button></form>{{/mayHalt}}{{/haltedSince}}
        {{#haltedSince}}<p class="error">Halted since {{>moment}}. Nothing is pushed.</p>{{/haltedSince}}
        {{#haltedSince}}{{#mayHalt}}<form method="post" action="{{resumeAction}}" class="stack">{{>token}}<p>A resume brings all cards that are behind up to date at once.</p><label>Type {{bundleID}} to confirm <input name="typed" autocomplete="off" required></label><div><button class="btn primary">Resume the app</button></div></form>{{/mayHalt}}{{/haltedSince}}
        </section>
        </div>
        <section class="stack"><h2>APNs keys</h2>
        {{#apnsKeys}}{{>app.apnsKey}}{{/apnsKeys}}
        {{^apnsKeys}}<p class="empty">No APNs key yet. Nothing can be pushed.</p>{{/apnsKeys}}
        {{#mayWrite}}<details class="card"><summary>Store a key</summary><form method="post" action="{{apnsAction}}" class="stack">{{>token}}
        <div class="fields"><label>Environment <select name="environment"><option>sandbox</option><option>production</option></select></label><label>Team id <input name="teamID" maxlength="10" required autocomplete="off"></label><label>Key id <input name="keyID" maxlength="10" required autocomplete="off"></label></div>
        <label>Private key, the text of the .p8 file <textarea name="privateKey" required spellcheck="false" autocomplete="off"></textarea></label>
        <div><button class="btn primary">Store</button></div></form></details>{{/mayWrite}}
        </section>
        {{#seesKeys}}<section class="stack"><h2>API keys</h2>
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Key</th><th scope="col" class="t">For</th><th scope="col" class="t wide">Scopes</th><th scope="col" class="t wide">Phones</th><th scope="col">Last used</th><th scope="col" class="wide">Ends</th><th><span class="sr">Actions</span></th></tr></thead><tbody>
        {{#keys}}{{>app.key}}{{/keys}}
        </tbody></table></div>
        {{^keys}}<p class="empty">No API key yet.</p>{{/keys}}
        {{#mayMakeKeys}}<details class="card"><summary>Make a key</summary><form method="post" action="{{keyAction}}" class="stack">{{>token}}
        <div class="fields"><label>Name <input name="name" maxlength="200" required autocomplete="off"></label><label>For the API of <select name="plane">{{#planes}}<option>{{.}}</option>{{/planes}}</select></label><label>Phones <select name="environment"><option value="">sandbox and production</option><option>sandbox</option><option>production</option></select></label><label>Ends on <input name="expires" type="date"></label></div>
        <fieldset><legend>Scopes</legend><p class="hint">None means all that you have.</p><div class="fields">{{#scopes}}<label class="check"><input type="checkbox" name="scope:{{.}}" value="1"> {{.}}</label>{{/scopes}}</div></fieldset>
        <div><button class="btn primary">Make the key</button></div></form></details>{{/mayMakeKeys}}
        </section>{{/seesKeys}}
        """,
        "app.apnsKey": """
        <div class="card bar"><i class="dot {{#pause}}bad{{/pause}}{{^pause}}good{{/pause}}"></i><span><b>{{environment}}</b> · key <code>{{keyID}}</code> of team <code>{{teamID}}</code></span><span class="sub">stored {{#added}}{{>moment}}{{/added}}</span>{{#pause}}<span class="error">Paused: {{meaning}} {{#nextTrial}}Next try at {{>moment}}.{{/nextTrial}}</span>{{/pause}}</div>
        """,
        "app.key": """
        <tr><td class="name">{{name}}<span><code>{{hint}}</code></span></td><td class="t">{{plane}}</td><td class="t wide">{{scopes}}</td><td class="t wide">{{environment}}</td><td>{{#used}}{{>moment}}{{/used}}{{^used}}never{{/used}}</td><td class="wide">{{#expires}}{{>moment}}{{/expires}}{{^expires}}–{{/expires}}</td><td>{{#mayRevoke}}<form class="inline" method="post" action="{{rotateAction}}">{{>token}}<button class="btn" aria-label="Rotate {{name}}">Rotate</button></form>
        <details class="menu confirm"><summary class="btn danger" aria-label="Revoke {{name}}">Revoke</summary><form method="post" action="{{revokeAction}}" class="sheet stack">{{>token}}<p>Calls with this key are refused at once.</p><label>Type {{name}} to confirm <input name="typed" autocomplete="off" required></label><button class="btn danger">Revoke</button></form></details>{{/mayRevoke}}</td></tr>
        """,
        "app.secret": """
        <h1>{{name}}</h1>
        <section class="card stack"><p class="lead">This is shown once. Copy it now.</p>
        <pre id="secret">{{secret}}</pre>{{#identifier}}<p>Identifier: <code>{{identifier}}</code></p>{{/identifier}}
        <div class="bar"><button class="btn primary" type="button" data-copy="secret">Copy</button><a class="btn" href="{{back}}">Done</a></div></section>
        """,
        "moment": """
        <time datetime="{{machine}}">{{text}}</time>
        """,
    ]
}
