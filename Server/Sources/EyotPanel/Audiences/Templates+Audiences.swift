extension Templates {
    static let audiences = [
        "audiences": """
        <h1>Audiences</h1>
        <div class="two"><form method="post" action="{{action}}" class="card stack"><h2 class="flat">Count, then keep</h2><input type="hidden" name="token" value="{{formToken}}">
        {{#form}}<label>Audience <span class="sub">as JSON: "all", or an object with one selector</span><textarea name="audience" spellcheck="false" required>{{audience}}</textarea></label>
        <label>Type <span class="sub">to see which phones could be started</span><input name="type" value="{{type}}" list="types" maxlength="256" autocomplete="off"></label><datalist id="types">{{#types}}<option value="{{.}}"></option>{{/types}}</datalist>
        {{#problem}}{{>problem}}{{/problem}}
        <div class="bar"><button class="btn primary" name="act" value="count">Count</button></div>
        {{#maySave}}<label>Name of the segment <span class="sub">to keep the audience</span><input name="name" value="{{name}}" maxlength="256" autocomplete="off"></label><div class="bar"><button class="btn" name="act" value="save">Save as segment</button></div>{{/maySave}}{{/form}}</form>
        <div class="stack">{{#count}}<section class="card" aria-label="The count"><h2>What a start would find now</h2><div class="figures"><div><div class="k">Phones</div><div class="v">{{matched}}</div></div><div><div class="k">Users</div><div class="v">{{users}}</div></div>{{#eligible}}<div><div class="k">Can be started</div><div class="v">{{eligible}} <small>{{share}} %</small></div></div>{{/eligible}}</div>
        {{^isComplete}}<p class="problem">There are more: counting stopped at its limit.</p>{{/isComplete}}
        {{#hasSkipped}}<h2>Left out, by reason</h2>{{/hasSkipped}}{{#skipped}}<div class="item"><b>{{count}}</b> <code>{{reason}}</code><svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="6"></rect><rect class="fill" width="{{length}}" height="6"></rect></svg><span class="hint">{{meaning}}</span></div>{{/skipped}}</section>{{/count}}
        <section class="card"><h2>Selectors</h2><dl class="facts code"><dt>Tag</dt><dd><code>{"tag":"fans"}</code></dd><dt>User</dt><dd><code>{"user":["user-1","user-2"]}</code></dd><dt>Attribute</dt><dd><code>{"attribute":{"name":"city","is":"Ankara"}}</code></dd><dt>iOS</dt><dd><code>{"osAtLeast":"17.2"}</code></dd><dt>App</dt><dd><code>{"appVersionAtLeast":"1.4"}</code></dd><dt>Heard of</dt><dd><code>{"lastSeen":{"withinDays":7}}</code></dd><dt>Segment</dt><dd><code>{"segment":"early birds"}</code></dd><dt>Together</dt><dd><code>{"and":[{"tag":"fans"},{"not":{"tag":"staff"}}]}</code></dd></dl></section></div></div>
        <section><h2>Segments</h2>{{#isEmpty}}<p class="empty">No audience is kept yet. Count one above, and give it a name.</p>{{/isEmpty}}
        {{^isEmpty}}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Segment</th><th scope="col" class="t wide">Audience</th><th scope="col">Changed</th></tr></thead><tbody>
        {{#segments}}<tr><td class="name"><a href="{{link}}"><bdi>{{name}}</bdi></a></td><td class="t wide"><code><bdi>{{audience}}</bdi></code></td><td>{{#updatedAt}}<time datetime="{{machine}}">{{text}}</time>{{/updatedAt}}</td></tr>{{/segments}}
        </tbody></table></div>{{/isEmpty}}</section>
        {{#pager}}{{>pager}}{{/pager}}
        """,
        "segment": """
        <div class="bar"><div><p class="k">Segment</p><h1><bdi>{{name}}</bdi></h1></div><span class="end bar"><a class="btn primary" href="{{count}}">Count it</a>{{#mayWrite}}<a class="btn danger" href="{{remove}}">Remove</a>{{/mayWrite}}</span></div>
        {{#mayWrite}}<form method="post" action="{{action}}" class="card stack"><input type="hidden" name="token" value="{{formToken}}">
        <label>Audience <span class="sub">as JSON. It is evaluated each time it is used</span><textarea class="tall" name="audience" spellcheck="false" required>{{audience}}</textarea></label>
        {{#problem}}{{>problem}}{{/problem}}
        <div class="bar"><button class="btn primary">Save</button>{{#updatedAt}}<span class="sub">changed <time datetime="{{machine}}">{{text}}</time></span>{{/updatedAt}}</div></form>{{/mayWrite}}
        {{^mayWrite}}<pre>{{audience}}</pre>{{/mayWrite}}
        """,
    ]
}
