/// The wall's script. It sets each text as text, never as markup, because names and states may be hostile.
enum WallScript {
    static let text = (["'use strict';\n(() => {"] + parts + ["})();\n"]).joined(separator: "\n")

    private static let parts = [base, WallScript.phones, WallScript.flow, WallScript.story, WallScript.forms, stream]

    /// What the other parts use: elements, calls, words.
    private static let base = #"""
        const $ = (id) => document.getElementById(id);
        const marks = [
          ['shown', '✓', 'up to date', 'shows the newest state'], ['behind', '↑', 'behind', 'is behind'],
          ['undecodable', '!', 'cannot decode', 'cannot decode the newest state'],
          ['waiting', '?', 'wait for Allow', 'waits for Allow'], ['offline', '–', 'offline', 'is offline'],
          ['dismissed', '×', 'dismissed', 'has dismissed the card'],
          ['off', '⊘', 'off in Settings', 'has Live Activities off in Settings'], ['ended', '■', 'ended', 'shows the end'],
          ['empty', '○', 'no card', 'has no card yet'],
        ];
        const signs = Object.fromEntries(marks.map(([mark, sign]) => [mark, sign]));
        const titles = Object.fromEntries(marks.map(([mark, , title]) => [mark, title]));
        const verbs = Object.fromEntries(marks.map(([mark, , , verb]) => [mark, verb]));
        const wall = {
          faces: new Map(), phones: new Map(), order: [], declared: [], lab: null, heard: 0,
          activity: null, filter: null, view: null, types: [],
        };
        const make = (tag, className, text) => {
          const element = document.createElement(tag);
          if (className) element.className = className;
          if (text !== undefined) element.textContent = text;
          return element;
        };
        const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
        const number = (value) => value.toLocaleString('en');
        const call = async (method, path, body) => {
          const options = { method };
          if (body !== undefined) {
            options.headers = { 'Content-Type': 'application/json' };
            options.body = typeof body === 'string' ? body : JSON.stringify(body);
          }
          let response;
          try {
            response = await fetch(path, options);
          } catch {
            throw new Error('The lab does not answer.');
          }
          let answer = null;
          try { answer = await response.json(); } catch { /* An answer without a body. */ }
          if (!response.ok) {
            throw new Error([answer && answer.detail || `HTTP ${response.status}`, answer && answer.remedy || '']
              .join(' ').trim());
          }
          return answer;
        };
        let toastTimer = 0;
        const toast = (text, isBad) => {
          const element = $('toast');
          element.textContent = text;
          element.className = `toast on${isBad ? ' bad' : ''}`;
          clearTimeout(toastTimer);
          toastTimer = setTimeout(() => { element.className = 'toast'; }, isBad ? 8000 : 3500);
        };
        const attempt = async (action, success) => {
          try {
            const answer = await action();
            const text = typeof success === 'function' ? success(answer) : success;
            if (text) toast(text);
            return answer;
          } catch (error) {
            toast(error.message, true);
            return undefined;
          }
        };
        // The lab's time: as it was told last, and on from there at the lab's speed.
        const labTime = () => wall.lab
          ? Date.parse(wall.lab.now) + Math.min(performance.now() - wall.heard, 2000) * wall.lab.speed : Date.now();
        const clockText = (time, seconds) => new Date(time).toLocaleTimeString('en-GB',
          { hour: '2-digit', minute: '2-digit', ...(seconds ? { second: '2-digit' } : {}) });
        const duration = (milliseconds) => {
          const seconds = Math.max(0, Math.round(milliseconds / 1000));
          if (seconds < 60) return `${seconds} s`;
          if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
          return `${Math.floor(seconds / 3600)} h`;
        };
        const chosen = () => wall.declared.find((activity) => activity.name === wall.activity) || null;
        """#

    /// The stream of changes, and the order in which the page is drawn.
    private static let stream = #"""
        let isDrawingPlanned = false;
        const plan = () => {
          if (isDrawingPlanned) return;
          isDrawingPlanned = true;
          requestAnimationFrame(() => {
            isDrawingPlanned = false;
            drawFlow();
            drawLegend();
            drawGrid();
          });
        };
        const receive = (source, name, take) => source.addEventListener(name, (event) => {
          take(JSON.parse(event.data));
          plan();
        });
        const linked = (isOn) => {
          put($('link'), isOn ? 'Live' : 'The lab does not answer. This is what was seen last.');
          $('link').className = `link ${isOn ? 'on' : 'off'}`;
          document.body.classList.toggle('unlinked', !isOn);
        };
        const follow = () => {
          const source = new EventSource('/phones/stream');
          source.onopen = () => linked(true);
          source.onerror = () => linked(false);
          receive(source, 'lab', (lab) => { wall.lab = lab; wall.heard = performance.now(); });
          receive(source, 'faces', (faces) => { for (const face of faces) wall.faces.set(face.id, face); });
          receive(source, 'declared', (declared) => { wall.declared = declared; choose(); });
          receive(source, 'phones', (phones) => {
            wall.phones = new Map(phones.map((phone) => [phone.id, phone]));
            wall.order = phones.map((phone) => phone.id);
            tidyFaces();
          });
          receive(source, 'changed', (phones) => {
            for (const phone of phones) {
              if (!wall.phones.has(phone.id)) wall.order.push(phone.id);
              wall.phones.set(phone.id, phone);
              if (phone.id === openPhone) tellSoon();
            }
            if (wall.faces.size > 4000) tidyFaces();
          });
        };
        const tidyFaces = () => {
          const used = new Set(wall.declared.map((activity) => activity.face));
          for (const phone of wall.phones.values()) for (const card of phone.cards) used.add(card.face);
          for (const id of wall.faces.keys()) if (!used.has(id)) wall.faces.delete(id);
        };
        const choose = () => {
          const running = wall.declared.filter((activity) => activity.state === 'active');
          if (chosen() && (chosen().state === 'active' || running.length === 0)) return;
          const newest = (list) => [...list].sort((a, b) => (b.declaredAt || '').localeCompare(a.declaredAt || ''))[0];
          const best = newest(running) || newest(wall.declared);
          wall.activity = best ? best.name : null;
        };
        let said = '';
        setInterval(() => {
          drawTimes();
          const text = summary();
          // A reader of the screen hears a change at most every six seconds.
          if (text !== said && Math.floor(performance.now() / 1000) % 6 === 0) {
            said = text;
            put($('summary'), text);
          }
        }, 1000);
        for (const button of document.querySelectorAll('[data-close]')) {
          button.addEventListener('click', () => button.closest('dialog').close());
        }
        for (const dialog of document.querySelectorAll('dialog')) {
          dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
        }
        follow();
        call('GET', '/types').then((answer) => { wall.types = answer.types; plan(); }).catch(() => {});
        """#
}
