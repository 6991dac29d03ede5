/// The wall's page. It has no data in it: the script fills it from the stream.
enum WallPage {
    private static func document(_ title: String, _ body: String, script: Bool) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="dark">
        <title>\(title)</title>
        <link rel="icon" href="/wall-icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/wall.css">
        \(script ? #"<script src="/wall.js" defer></script>"# : "")
        </head>
        \(body)
        </html>

        """
    }

    /// The page for a browser that has not opened the printed address.
    static let locked = document(
        "Wall of phones · Eyot",
        """
        <body class="locked">
        <main>
        <h1>Wall of phones</h1>
        <p>This wall is locked. Open the address that <code>eyot lab</code> or <code>eyot demo</code> printed first. It
        begins with <code>wall</code> and contains <code>?pass=</code>.</p>
        </main>
        </body>
        """, script: false)

    /// The page's icon: an island in a river.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#16181d"/>\
        <path d="M5 23q5-4 11 0t11 0" fill="none" stroke="#5b8fd6" stroke-width="3" stroke-linecap="round"/>\
        <ellipse cx="16" cy="14" rx="8" ry="4" fill="#4fb59a"/></svg>
        """

    static let text = document(
        "Wall of phones · Eyot",
        """
        <body>
        <a class="skip" href="#grid">Skip to the phones</a>
        <header class="top">
        <h1><b>Eyot</b> Wall of phones</h1>
        <p id="link" class="link" role="status">Connecting…</p>
        <div class="clock">
        <span class="quiet" id="clock-label">Lab clock</span> <time id="clock" aria-labelledby="clock-label">––:––:––</time>
        <label class="quiet" for="speed">Speed</label>
        <select id="speed"><option value="1">1×</option><option value="10">10×</option><option value="60">60×</option>
        <option value="600">600×</option></select>
        <button type="button" id="hour">+ 1 h</button>
        </div>
        </header>
        <main>
        <noscript><p class="banner">This page needs JavaScript. <a href="/phones/wall.svg">The same as a picture</a></p>
        </noscript>
        \(flow)
        <section aria-labelledby="phones-title">
        <h2 id="phones-title" class="hidden">Phones</h2>
        <div class="bar">
        <div id="legend" class="legend" role="group" aria-label="Show only phones that…"></div>
        <div class="views" role="group" aria-label="Size of the phones">
        <button type="button" data-view="full" aria-pressed="true">Phones</button>
        <button type="button" data-view="small" aria-pressed="false">Small</button>
        <button type="button" data-view="dots" aria-pressed="false">Dots</button>
        </div>
        </div>
        <div id="grid" class="grid full" role="group" aria-label="Phones. Arrow keys move, Enter tells a phone’s story."
        tabindex="-1"></div>
        <p id="rest" class="quiet"></p>
        </section>
        </main>
        \(drawer)
        \(declare)
        <p id="toast" class="toast" role="status" aria-live="polite"></p>
        <p id="summary" class="hidden" aria-live="polite"></p>
        </body>
        """, script: true)

    /// The way of a state, from the backend to the phones. What can go wrong stands where it goes wrong.
    private static let flow = """
        <section class="flow" aria-label="The way of a state">
        <div class="step backend">
        <h2>Your backend declares <select id="activity" aria-label="Activity" hidden></select></h2>
        <div id="declared" class="declared"></div>
        <p id="declared-note" class="quiet note"></p>
        <div class="actions">
        <button type="button" id="goal" class="primary" disabled>Goal!</button>
        <button type="button" id="edit" disabled>Edit state…</button>
        <button type="button" id="new" aria-label="Start a new activity">New…</button>
        </div>
        </div>
        <div class="step server">
        <h2>Eyot server</h2>
        <p class="fact"><span id="server-dot" class="light"></span><span id="server">…</span></p>
        <p class="quiet note" id="server-note"></p>
        <div class="actions"><button type="button" id="kill" class="danger">Kill</button></div>
        </div>
        <div class="step apple">
        <h2>Apple, simulated</h2>
        <p class="fact"><span id="apple-dot" class="light"></span><span id="apple">…</span></p>
        <div class="actions">
        <label class="inline" for="fault">Answers</label>
        <select id="fault"></select>
        </div>
        </div>
        <div class="step fleet">
        <h2><span id="total">0</span> phones</h2>
        <p class="fact"><span id="share">–</span></p>
        <div id="shares" class="shares" aria-hidden="true"></div>
        <div class="actions">
        <button type="button" data-crowd="offline">Offline 10 %</button>
        <button type="button" data-crowd="dismiss">Dismiss 10 %</button>
        <button type="button" data-crowd="online">All online</button>
        <button type="button" data-crowd="allow" id="allow-all" hidden>Allow all</button>
        </div>
        </div>
        </section>
        """

    private static let drawer = """
        <dialog id="drawer" class="drawer" aria-labelledby="drawer-title">
        <header>
        <div><h2 id="drawer-title" tabindex="-1" autofocus></h2><p id="drawer-facts" class="quiet"></p></div>
        <button type="button" class="close" data-close aria-label="Close">×</button>
        </header>
        <div class="actions" id="drawer-actions"></div>
        <div class="stories">
        <section aria-labelledby="server-says">
        <h3 id="server-says">What the server says</h3>
        <div id="finding" class="finding"></div>
        <ol id="server-story" class="story"></ol>
        </section>
        <section aria-labelledby="phone-says">
        <h3 id="phone-says">What happened on the phone</h3>
        <ol id="phone-story" class="story"></ol>
        </section>
        </div>
        </dialog>
        """

    private static let declare = """
        <dialog id="declare" class="sheet" aria-labelledby="declare-title">
        <form id="declare-form" novalidate>
        <header>
        <h2 id="declare-title" tabindex="-1" autofocus></h2>
        <button type="button" class="close" data-close aria-label="Close">×</button>
        </header>
        <div class="row" id="start-row">
        <label>Type <select id="start-type"></select></label>
        <label>Name <input id="start-name" autocomplete="off"></label>
        </div>
        <fieldset id="attributes-part"><legend>Attributes: they never change</legend>
        <div class="pair"><div id="attributes-fields" class="fields"></div>
        <label class="raw">JSON <textarea id="attributes-raw" rows="6" spellcheck="false"></textarea></label></div>
        </fieldset>
        <fieldset><legend>State: what each card shows</legend>
        <div class="pair"><div id="state-fields" class="fields"></div>
        <label class="raw">JSON <textarea id="state-raw" rows="8" spellcheck="false"></textarea></label></div>
        </fieldset>
        <div class="row">
        <label>Alert title <input id="alert-title" autocomplete="off"></label>
        <label>Alert text <input id="alert-body" autocomplete="off"></label>
        </div>
        <p id="declare-problem" class="problem" role="alert"></p>
        <footer>
        <button type="submit" id="declare-submit" class="primary">Declare</button>
        <button type="button" id="declare-end" class="danger">End with this state</button>
        </footer>
        </form>
        </dialog>
        """
}
