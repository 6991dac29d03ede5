extension Templates {
    /// A place of a definition looks like a tag of a template, so none stands in these texts.
    static let definitions = [
        "definitions": """
        <h1>Definitions</h1>
        <p class="sub">What many declarations have in common, under a name. A call fills its places.</p>
        {{#isEmpty}}<p class="empty">No definition is kept yet.</p>{{/isEmpty}}
        {{^isEmpty}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Definition</th><th scope="col" class="t wide">Type</th><th scope="col">Places</th><th scope="col" class="wide">Changed</th><th scope="col"><span class="hidden">Start</span></th></tr></thead><tbody>
        {{#definitions}}<tr><td class="name"><a href="{{link}}"><bdi>{{name}}</bdi></a></td><td class="t wide"><bdi>{{type}}</bdi></td><td>{{places}}</td><td class="wide">{{#changedAt}}<time datetime="{{machine}}">{{text}}</time>{{/changedAt}}</td><td>{{#start}}<a class="btn" href="{{start}}">Start with it</a>{{/start}}</td></tr>{{/definitions}}
        </tbody></table></div>{{/isEmpty}}
        {{#pager}}{{>pager}}{{/pager}}
        {{#mayWrite}}<details class="card"{{#isOpen}} open{{/isOpen}}><summary>New definition</summary><form method="post" action="{{action}}" class="stack"><input type="hidden" name="token" value="{{formToken}}">
        <label>Name<input name="name" value="{{typedName}}" maxlength="256" required autocomplete="off"></label>
        <label>Definition <span class="sub">as JSON</span><textarea class="tall" name="definition" spellcheck="false" required>{{definition}}</textarea></label>
        {{#problem}}{{>problem}}{{/problem}}
        <div class="bar"><button class="btn primary">Save</button></div></form></details>{{/mayWrite}}
        """,
        "definition": """
        <div class="bar"><div><p class="k">Definition</p><h1><bdi>{{name}}</bdi></h1></div><span class="end bar">{{#start}}<a class="btn primary" href="{{start}}">Start with it</a>{{/start}}{{#remove}}<a class="btn danger" href="{{remove}}">Remove</a>{{/remove}}</span></div>
        <div class="two"><section class="card"><h2>Declaration</h2><pre class="template">{{#text}}{{#parts}}{{#isPlace}}<mark>{{text}}</mark>{{/isPlace}}{{^isPlace}}{{text}}{{/isPlace}}{{/parts}}{{/text}}</pre>{{#changedAt}}<p class="foot">changed <time datetime="{{machine}}">{{text}}</time></p>{{/changedAt}}</section>
        <section class="card"><h2>Places</h2>{{^hasPlaces}}<p class="sub">None: it declares the same each time.</p>{{/hasPlaces}}
        {{#places}}<div class="item"><b><bdi>{{name}}</bdi></b> <span class="sub">{{kind}}{{#isRequired}} · required{{/isRequired}}{{#standard}} · otherwise <code><bdi>{{standard}}</bdi></code>{{/standard}}</span><br><span class="hint">{{#uses}}<code><bdi>{{.}}</bdi></code> {{/uses}}</span></div>{{/places}}</section></div>
        {{#mayWrite}}<details class="card"{{#isOpen}} open{{/isOpen}}><summary>Change it</summary><form method="post" action="{{action}}" class="stack"><input type="hidden" name="token" value="{{formToken}}">
        <label>Definition <span class="sub">as JSON. A change changes nothing that was declared</span><textarea class="tall" name="definition" spellcheck="false" required>{{definition}}</textarea></label>
        {{#problem}}{{>problem}}{{/problem}}
        <div class="bar"><button class="btn primary">Save</button></div></form></details>{{/mayWrite}}
        """,
    ]
}
