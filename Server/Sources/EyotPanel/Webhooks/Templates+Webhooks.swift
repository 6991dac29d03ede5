extension Templates {
    /// The templates of webhooks.
    static let webhooks = [
        "webhooks": """
        <h1>Webhooks</h1>
        {{^webhooks}}<p class="empty">No webhook yet. One sends events to a URL of yours as they happen, signed and tried again.</p>{{/webhooks}}
        {{#webhooks}}{{>webhooks.row}}{{/webhooks}}
        {{#mayWrite}}<details class="card"><summary>Add a webhook</summary><form method="post" action="{{action}}" class="stack">{{>token}}
        <div class="fields"><label>Name <input name="name" maxlength="200" required autocomplete="off"></label><label>URL <input name="url" type="url" required autocomplete="off" placeholder="https://"></label></div>
        <div class="fields"><label>Events <span class="sub">names or beginnings, with commas or spaces between</span> <input name="types" value="card.* push.refused" autocomplete="off"></label><label>Form <select name="vendor"><option value="">Eyot's own</option>{{#forms}}<option value="{{name}}">{{title}}</option>{{/forms}}</select></label></div>
        <p class="sub">In a vendor's form, leave the events empty to get all that have one.</p>
        <div><button class="btn primary">Add</button></div></form></details>{{/mayWrite}}
        """,
        "webhooks.row": """
        <a class="card row" href="{{link}}"><span class="name"><i class="dot {{#isEnabled}}{{^hasDead}}good{{/hasDead}}{{#hasDead}}warn{{/hasDead}}{{/isEnabled}}{{^isEnabled}}bad{{/isEnabled}}"></i>{{name}}<span>{{url}}</span></span><span class="sub">{{types}}</span><span class="end">{{#isEnabled}}{{pending}} waiting · {{dead}} given up{{/isEnabled}}{{^isEnabled}}<span class="tag bad">off: {{disabledBecause}}</span>{{/isEnabled}}</span></a>
        """,
        "webhook": """
        {{#webhook}}<h1>{{name}}</h1>
        <section class="card stack"><dl class="facts"><dt>URL</dt><dd>{{url}}</dd><dt>Events</dt><dd>{{types}}</dd>{{#form}}<dt>Form</dt><dd>{{form}}</dd>{{/form}}<dt>State</dt><dd>{{#isEnabled}}<span class="tag good">on</span>{{/isEnabled}}{{^isEnabled}}<span class="tag bad">off: {{disabledBecause}}</span>{{/isEnabled}}</dd><dt>Waiting</dt><dd>{{pending}}</dd><dt>Given up</dt><dd>{{dead}}</dd><dt>Since</dt><dd>{{#created}}{{>moment}}{{/created}}</dd></dl>{{/webhook}}
        {{#tested}}<p class="{{#isGood}}good{{/isGood}}{{^isGood}}error{{/isGood}}" role="status">Test: {{text}} <span class="sub">after {{milliseconds}} ms</span></p>{{/tested}}
        {{#mayWrite}}<div class="bar"><form class="inline" method="post" action="{{actions.test}}">{{>token}}<button class="btn primary">Send a test</button></form>
        {{#webhook}}{{#isEnabled}}<form class="inline" method="post" action="{{actions.disable}}">{{>token}}<button class="btn">Turn off</button></form>{{/isEnabled}}{{^isEnabled}}<form class="inline" method="post" action="{{actions.enable}}">{{>token}}<button class="btn">Turn on</button></form>{{/isEnabled}}{{/webhook}}
        <form class="inline" method="post" action="{{actions.rotate}}">{{>token}}<button class="btn">New secret</button></form>
        <details class="menu confirm"><summary class="btn">Send again</summary><form method="post" action="{{actions.replay}}" class="sheet stack">{{>token}}<label>Events since, in UTC <input type="datetime-local" name="since" required></label><button class="btn primary">Send again</button></form></details>
        <details class="menu confirm"><summary class="btn danger">Remove</summary><form method="post" action="{{actions.remove}}" class="sheet stack">{{>token}}<p>What waits for it is not sent.</p><label>Type {{webhook.name}} to confirm <input name="typed" autocomplete="off" required></label><button class="btn danger">Remove</button></form></details></div>{{/mayWrite}}
        </section>
        <section class="stack"><h2>Last tries</h2>
        {{^deliveries}}<p class="empty">Nothing waits, and nothing was given up.</p>{{/deliveries}}
        <div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Event</th><th scope="col" class="t">State</th><th scope="col">Tries</th><th scope="col" class="t">What the receiver said</th><th scope="col" class="wide">Last try</th><th scope="col">Next try</th><th><span class="sr">Actions</span></th></tr></thead><tbody>
        {{#deliveries}}<tr><td><code>{{event}}</code></td><td class="t">{{#isDead}}<span class="tag bad">given up</span>{{/isDead}}{{^isDead}}<span class="tag">waiting</span>{{/isDead}}</td><td>{{attempts}}</td><td class="t">{{text}}</td><td class="wide">{{#failed}}{{>moment}}{{/failed}}</td><td>{{#next}}{{>moment}}{{/next}}</td><td>{{#mayWrite}}{{#isDead}}<form class="inline" method="post" action="{{retryAction}}">{{>token}}<button class="btn">Try again</button></form>{{/isDead}}{{/mayWrite}}</td></tr>{{/deliveries}}
        </tbody></table></div>
        {{#older}}<p><a href="{{older}}">More</a></p>{{/older}}
        </section>
        """,
    ]
}
