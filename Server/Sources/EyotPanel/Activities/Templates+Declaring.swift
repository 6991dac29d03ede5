extension Templates {
    /// The forms that update and end an activity.
    static let declaring = [
        "faults": """
        {{#conflict}}<section class="card why bad" role="alert"><p class="lead">{{conflict}}</p><p class="sub">What you typed is kept below. Look at what stands now, then go on from there.</p>{{#hasChanges}}<dl class="facts">{{#changes}}<dt><bdi>{{name}}</bdi></dt><dd>{{#from}}you typed <bdi>{{from}}</bdi>, {{/from}}now <b><bdi>{{to}}</bdi></b></dd>{{/changes}}</dl>{{/hasChanges}}<div class="bar"><button class="btn" form="declare" name="step" value="refresh">Go on from the newest version</button><a class="btn" href="{{back}}">Look at the activity</a></div></section>{{/conflict}}
        {{#fault}}<section class="card why bad" role="alert"><p class="lead">{{fault}}</p>{{#remedy}}<p class="sub">{{remedy}}</p>{{/remedy}}</section>{{/fault}}
        {{#sent}}<p class="notice" role="status">{{sent}} Look at the phone, then go on.</p>{{/sent}}
        {{#dryRun}}{{>dry.run}}{{/dryRun}}
        """,
        "dry.run": """
        <section class="card why good" role="status"><p class="lead">{{reach}}</p>{{#outcome}}<p>{{outcome}}</p>{{/outcome}}
        {{#hasWarnings}}<ul class="warnings">{{#warnings}}<li><bdi>{{.}}</bdi></li>{{/warnings}}</ul>{{/hasWarnings}}
        {{#hasVerdicts}}<h2>Builds</h2><dl class="counts">{{#verdicts}}<div><dt><bdi>{{build}}</bdi>{{#reason}} <span class="sub"><bdi>{{reason}}</bdi></span>{{/reason}}</dt><dd><span class="tag {{tone}}">{{word}}</span></dd></div>{{/verdicts}}</dl>{{/hasVerdicts}}
        {{#hasSkipped}}<h2>Devices that get no card</h2><div class="funnel">{{#skipped}}<div><span>{{name}}</span>{{{bar}}}<b>{{count}}</b><span class="sub">{{share}}</span></div>{{/skipped}}</div>{{/hasSkipped}}
        {{#hasPushes}}<h2>What would be sent</h2>{{#pushes}}<details class="push"><summary>{{title}} <span class="sub">{{size}}</span>{{{bar}}}</summary><pre tabindex="0">{{headers}}</pre><pre tabindex="0">{{payload}}</pre></details>{{/pushes}}{{/hasPushes}}</section>
        """,
        "update": """
        <div><h1>Update <bdi>{{name}}</bdi></h1><div class="sub">{{details}} · {{cards}} cards of {{app}} · <a href="{{back}}">back</a></div></div>
        {{>faults}}
        <form method="post" action="{{action}}" id="declare" class="stack"><input type="hidden" name="token" value="{{token}}"><input type="hidden" name="seen" value="{{seen}}">
        <button class="unseen" name="step" value="dry" tabindex="-1" aria-hidden="true">Dry run</button>
        <section class="card"><h2>State</h2><div class="fields">{{>schema.fields}}</div></section>
        <section class="card"><h2>Alert</h2><div class="fields">{{#alert}}<div class="field"><label for="{{id}}">{{title}}</label><input id="{{id}}" name="{{name}}" value="{{value}}" dir="auto" autocomplete="off"{{#fieldFault}} aria-invalid="true"{{/fieldFault}}>{{#fieldFault}}<span class="error" role="alert">{{fieldFault}}</span>{{/fieldFault}}</div>{{/alert}}</div><p class="hint">Without any of it, the phones stay silent.</p><label class="check"><input type="checkbox" name="urgent" value="yes"{{#isUrgent}} checked{{/isUrgent}}> Urgent: does not wait for the spacing of the type</label></section>
        <section class="card steps"><h2>Send, step by step</h2><ol>
        <li><span><b>Dry run</b><span class="sub">Shows what would be sent, and to whom. Sends nothing.</span></span><button class="btn primary" name="step" value="dry">Dry run</button></li>
        <li><span><b>Test device</b>{{#hasTestDevices}}<select name="testDevice" aria-label="Test device">{{/hasTestDevices}}{{#testDevices}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/testDevices}}{{#hasTestDevices}}</select>{{/hasTestDevices}}{{^hasTestDevices}}<span class="sub">The app has no test devices.</span>{{/hasTestDevices}}{{#testFault}}<span class="error" role="alert">{{testFault}}</span>{{/testFault}}</span><button class="btn" name="step" value="test"{{^hasTestDevices}} disabled{{/hasTestDevices}}>Send to it</button></li>
        <li><span><b>Canary</b><span class="sub">1 % of the cards. It goes on to all others after 30 seconds, unless Apple refuses it.</span></span><button class="btn" name="step" value="canary">Send to 1 %</button></li>
        <li><span><b>All</b><span class="sub">{{cards}} cards of {{app}}.</span></span><button class="btn danger" name="step" value="all">Send to all</button></li></ol></section></form>
        """,
        "end": """
        {{#update}}<div><h1>End <bdi>{{name}}</bdi></h1><div class="sub">{{details}} · <a href="{{back}}">back</a></div></div>
        {{>faults}}{{/update}}
        <form method="post" action="{{action}}" id="declare" class="stack"><input type="hidden" name="token" value="{{update.token}}"><input type="hidden" name="seen" value="{{update.seen}}">
        <button class="unseen" name="step" value="dry" tabindex="-1" aria-hidden="true">Dry run</button>
        <section class="card"><h2>Last state</h2><label class="check"><input type="checkbox" name="state" value="yes"{{#hasState}} checked{{/hasState}}> Show this state at the end. Otherwise the cards keep what they show.</label><div class="fields">{{#update}}{{>schema.fields}}{{/update}}</div></section>
        <section class="card"><h2>When the cards leave the screen</h2><div class="choices">{{#dismissals}}<label class="check"><input type="radio" name="dismissal" value="{{name}}"{{#isChosen}} checked{{/isChosen}}> {{title}}</label>{{/dismissals}}</div></section>
        <section class="card failure stack"><p class="lead">This ends {{update.cards}} cards of {{update.app}}{{#isProduction}} in production{{/isProduction}}, and starts that are planned. It cannot be taken back.</p>
        <div class="field"><label for="typed"><span>Type <bdi>{{update.name}}</bdi> to confirm</span></label><input id="typed" name="typed" value="{{typed}}" dir="auto" autocomplete="off"{{#typedFault}} aria-invalid="true"{{/typedFault}}>{{#typedFault}}<span class="error" role="alert">{{typedFault}}</span>{{/typedFault}}</div>
        <div class="bar"><button class="btn primary" name="step" value="dry">Dry run</button><button class="btn danger" name="step" value="all">End the activity</button></div></section></form>
        """,
    ]
}
