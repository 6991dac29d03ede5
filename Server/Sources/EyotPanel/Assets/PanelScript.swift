/// What the panel does in the browser beyond links and forms. Without it all pages still work.
enum PanelScript {
    static let text = """
        "use strict";
        const each = (selector, act, root) => (root || document).querySelectorAll(selector).forEach(act);

        // Times are sent in UTC, and shown as the reader's clock shows them.
        function localTimes(root) {
          each("time[datetime]", (time) => {
            const moment = new Date(time.getAttribute("datetime"));
            if (isNaN(moment)) return;
            const today = moment.toDateString() === new Date().toDateString();
            const clock = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
            time.title = time.getAttribute("datetime");
            time.textContent = today || time.dataset.clock !== undefined
              ? clock : moment.toLocaleDateString([], { month: "short", day: "numeric" }) + " " + clock;
          }, root);
        }

        // Parts of an open page are replaced when they change. What the reader has in hand stays.
        function replace(id, html) {
          const part = document.getElementById(id);
          if (!part || part.contains(document.activeElement) && /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
          const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
          const open = new Set();
          each("details[open][data-key]", (details) => open.add(details.dataset.key), part);
          part.innerHTML = html;
          localTimes(part);
          each("details[data-key]", (details) => { details.open = open.has(details.dataset.key); }, part);
          if (focused) { const again = part.querySelector("[data-key=" + CSS.escape(focused) + "]"); if (again) again.focus(); }
        }

        function follow(topic) {
          const query = new URLSearchParams({ topic });
          const app = new URLSearchParams(location.search).get("app");
          if (app) query.set("app", app);
          const source = new EventSource("/panel/live?" + query);
          source.addEventListener("parts", (event) => {
            document.body.classList.remove("late");
            const parts = JSON.parse(event.data);
            for (const id in parts) replace(id, parts[id]);
          });
          source.addEventListener("error", () => document.body.classList.add("late"));
          addEventListener("pagehide", () => source.close());
        }

        document.addEventListener("keydown", (event) => {
          if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
          if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
          const search = document.querySelector("form.find input[type=search], main input[type=search]");
          if (search) { event.preventDefault(); search.focus(); }
        });

        // Menus close when something else is pressed, and by Escape.
        document.addEventListener("click", (event) => each("details.menu[open]", (menu) => { if (!menu.contains(event.target)) menu.open = false; }));
        document.addEventListener("keydown", (event) => { if (event.key === "Escape") each("details.menu[open]", (menu) => { menu.open = false; }); });

        document.addEventListener("click", (event) => {
          const button = event.target.closest("[data-copy]");
          if (!button) return;
          const source = document.getElementById(button.dataset.copy);
          navigator.clipboard.writeText(source.textContent).then(() => { button.dataset.done = ""; setTimeout(() => delete button.dataset.done, 2000); });
        });

        // Forms that can be checked are checked while one types.
        each("form[data-check]", (form) => {
          let wait, last = 0;
          form.addEventListener("input", () => {
            clearTimeout(wait);
            wait = setTimeout(async () => {
              const turn = ++last;
              const answer = await fetch(form.dataset.check, { method: "POST", body: new URLSearchParams(new FormData(form)) });
              const html = await answer.text();
              if (turn === last && (answer.ok || answer.status === 422)) replace(form.dataset.into, html);
            }, 300);
          });
        });

        localTimes();
        if (document.body.dataset.live) follow(document.body.dataset.live);
        """
}
