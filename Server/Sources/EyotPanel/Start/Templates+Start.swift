extension Templates {
    /// The form that starts an activity.
    static let start = [
        "start": """
        <div><h1>Start an activity</h1><div class="sub">On phones of {{app}}{{#isProduction}}, in production{{/isProduction}}</div></div>
        <form class="filters card" method="get" action="/panel/start">{{#appParameter}}<input type="hidden" name="app" value="{{appParameter}}">{{/appParameter}}<label>Type<input name="type" value="{{type}}" list="types" required autocomplete="off" spellcheck="false"></label><datalist id="types">{{#types}}<option value="{{.}}"></option>{{/types}}</datalist><button class="btn{{^hasType}} primary{{/hasType}}">{{#hasType}}Change type{{/hasType}}{{^hasType}}Go on{{/hasType}}</button></form>
        {{#hasDefinitions}}<form class="filters" method="get" action="/panel/start">{{#appParameter}}<input type="hidden" name="app" value="{{appParameter}}">{{/appParameter}}<label>Or from a definition<select name="definition">{{#definitions}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/definitions}}</select></label><button class="btn">Use it</button></form>{{/hasDefinitions}}
        {{>faults}}
        {{#count}}<section class="card why good" role="status"><p class="lead">{{sentence}}</p>{{^isComplete}}<p class="sub">The count stopped early: there may be more.</p>{{/isComplete}}<div class="funnel">{{#rows}}<div><span>{{name}}</span>{{{bar}}}<b>{{count}}</b><span class="sub">{{share}}</span></div>{{/rows}}</div></section>{{/count}}
        {{#hasType}}<form method="post" action="{{action}}" id="declare" class="stack"><input type="hidden" name="token" value="{{token}}"><input type="hidden" name="type" value="{{type}}">{{#definition}}<input type="hidden" name="definition" value="{{definition}}">{{/definition}}
        <button class="unseen" name="step" value="dry" tabindex="-1" aria-hidden="true">Dry run</button>
        <section class="card"><h2>Name and audience</h2><div class="fields">
        <div class="field"><label for="name">Name</label><input id="name" name="name" value="{{name}}" maxlength="256" dir="auto" autocomplete="off"{{#nameFault}} aria-invalid="true"{{/nameFault}}><span class="hint">for example final-2022</span>{{#nameFault}}<span class="error" role="alert">{{nameFault}}</span>{{/nameFault}}</div>
        <div class="field"><label for="kind">Audience</label><select id="kind" name="audience.kind">{{#kinds}}<option value="{{name}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/kinds}}</select></div>
        <div class="field"><label for="audience">Its name, id or JSON</label><input id="audience" name="audience" value="{{audience}}" list="segments" dir="auto" autocomplete="off"{{#audienceFault}} aria-invalid="true"{{/audienceFault}}><datalist id="segments">{{#segments}}<option value="{{.}}"></option>{{/segments}}</datalist>{{#audienceFault}}<span class="error" role="alert">{{audienceFault}}</span>{{/audienceFault}}</div></div>
        <div class="bar"><button class="btn" name="step" value="count">Count the audience</button><label class="check"><input type="checkbox" name="running" value="yes"{{#isRunning}} checked{{/isRunning}}> Add cards if it runs already</label></div></section>
        {{#definition}}<section class="card"><h2>Definition <bdi>{{shownDefinition}}</bdi></h2><div class="fields">{{#parameters}}<div class="field long"><label for="{{id}}">{{title}}</label><textarea id="{{id}}" name="{{name}}" spellcheck="false">
        {{value}}</textarea><span class="hint">{{fieldHint}}</span>{{#fieldFault}}<span class="error" role="alert">{{fieldFault}}</span>{{/fieldFault}}</div>{{/parameters}}</div></section>{{/definition}}
        {{^definition}}<section class="card"><h2>Attributes</h2><p class="hint">They never change on a card.</p><div class="fields">{{#attributes}}{{>schema.fields}}{{/attributes}}</div></section>
        <section class="card"><h2>First state</h2><div class="fields">{{#state}}{{>schema.fields}}{{/state}}</div></section>{{/definition}}
        <section class="card"><h2>Alert</h2><p class="hint">A start needs one. The phone rings with it.</p><div class="fields">{{#alert}}<div class="field"><label for="{{id}}">{{title}}</label><input id="{{id}}" name="{{name}}" value="{{value}}" dir="auto" autocomplete="off"{{#fieldFault}} aria-invalid="true"{{/fieldFault}}>{{#fieldFault}}<span class="error" role="alert">{{fieldFault}}</span>{{/fieldFault}}</div>{{/alert}}</div></section>
        <section class="card steps"><ol><li><span><b>Dry run</b><span class="sub">Shows what would be sent, and to whom. Sends nothing.</span></span><button class="btn primary" name="step" value="dry">Dry run</button></li>
        <li><span><b>Start</b><span class="sub">Cards appear on the phones of the audience.</span></span><button class="btn danger" name="step" value="all">Start the activity</button></li></ol></section></form>{{/hasType}}
        """
    ]
}
