extension Templates {
    /// The templates of the push console.
    static let console = [
        "console": """
        <h1>Push console</h1>
        <form method="post" action="{{action}}" class="two" data-check="{{check}}" data-into="verdict">{{>token}}
        {{#draft}}<section class="card stack">
        <label>Payload <textarea name="payload" class="tall" spellcheck="false" autocomplete="off" required>{{payload}}</textarea></label>
        <label>Push token <input name="pushToken" value="{{token}}" spellcheck="false" autocomplete="off" required pattern="[0-9a-fA-F ]+" title="hexadecimal digits"></label>
        <div class="fields"><label>Environment <select name="environment">{{#environments}}<option{{#isOn}} selected{{/isOn}}>{{value}}</option>{{/environments}}</select></label>
        <label>Hold it against the type <input name="type" value="{{type}}" autocomplete="off"></label>
        <label>apns-push-type <select name="pushType">{{#pushTypes}}<option{{#isOn}} selected{{/isOn}}>{{value}}</option>{{/pushTypes}}</select></label>
        <label>apns-priority <select name="priority">{{#priorities}}<option{{#isOn}} selected{{/isOn}}>{{value}}</option>{{/priorities}}</select></label>
        <label>apns-expiration <input name="expiration" value="{{expiration}}" inputmode="numeric" autocomplete="off"></label>
        <label>apns-collapse-id <input name="collapseID" value="{{collapseID}}" maxlength="64" autocomplete="off"></label></div>
        <div class="bar"><button class="btn" name="do" value="check">Check</button><button class="btn primary" name="do" value="send">Send to this token</button></div>
        <p class="hint">What is sent here goes around Eyot's record of the card. The next declaration overwrites it.</p>
        </section>{{/draft}}
        <section class="stack" id="verdict" aria-live="polite">{{>console.verdict}}</section>
        </form>
        """,
        "console.verdict": """
        {{#refusal}}<div class="card failure"><p class="lead">{{sentence}}</p>{{#field}}<p>Field: <code>{{field}}</code></p>{{/field}}<p class="sub">{{remedy}}</p></div>{{/refusal}}
        {{#result}}
        {{#verdict}}<div class="card why {{#isAccepted}}good{{/isAccepted}}{{^isAccepted}}bad{{/isAccepted}}"><p class="lead">{{#reason}}{{reason}}{{/reason}}{{^reason}}{{verdict}}{{/reason}}</p><p class="sub">{{meaning}}{{#deadSince}} Dead since {{>moment}}.{{/deadSince}}</p></div>{{/verdict}}
        <div class="card stack"><h2>Check</h2>
        <p>{{bytes}} of {{limit}} bytes.</p>
        {{#isGood}}<p><span class="tag good">good</span> No rule that phones are known to have is broken.</p>{{/isGood}}
        {{#problems}}<p class="error">{{.}}.</p>{{/problems}}
        {{#remarks}}<p class="sub">{{.}}.</p>{{/remarks}}
        <dl class="facts">{{#headers}}<dt><code>{{name}}</code></dt><dd><code>{{value}}</code></dd>{{/headers}}</dl></div>
        <details class="card"><summary>As a line for the terminal</summary><pre id="curl">{{curl}}</pre><div class="bar"><button class="btn" type="button" data-copy="curl">Copy</button></div></details>
        {{/result}}
        {{^result}}{{^refusal}}<p class="empty">The payload is checked as you type.</p>{{/refusal}}{{/result}}
        """,
    ]
}
