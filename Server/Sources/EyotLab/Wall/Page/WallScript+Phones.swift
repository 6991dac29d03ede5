extension WallScript {
    /// The legend, and the phones in three sizes.
    static let phones = #"""
        const limits = { full: 60, small: 400, dots: 10000 };
        const tiles = new Map();
        let drawnView = null;
        let drawnOrder = '';
        let drawnMinute = '';

        const counts = () => {
          const all = Object.fromEntries(marks.map(([mark]) => [mark, 0]));
          for (const phone of wall.phones.values()) all[phone.mark] += 1;
          return all;
        };
        const chips = new Map();
        const drawLegend = () => {
          const all = counts();
          for (const [mark, sign, title] of marks) {
            let chip = chips.get(mark);
            if (!chip) {
              const button = make('button');
              button.type = 'button';
              button.dataset.mark = mark;
              const count = make('b');
              const icon = make('span', 'sign', sign);
              icon.setAttribute('aria-hidden', 'true');
              button.append(icon, count, make('span', '', title));
              button.addEventListener('click', () => {
                wall.filter = wall.filter === mark ? null : mark;
                plan();
              });
              $('legend').append(button);
              chip = { button, count };
              chips.set(mark, chip);
            }
            put(chip.count, number(all[mark]));
            chip.button.disabled = all[mark] === 0 && wall.filter !== mark;
            chip.button.setAttribute('aria-pressed', String(wall.filter === mark));
          }
        };
        const viewOf = (count) => wall.view
          || (count <= limits.full ? 'full' : count <= limits.small ? 'small' : 'dots');

        const short = { shown: 'shown', behind: 'behind', undecodable: 'error', waiting: 'asks', offline: 'offline',
          dismissed: 'dismissed', off: 'off', ended: 'ended', empty: 'no card' };
        const status = (phone) => {
          const card = phone.cards[0];
          if (!card || card.declared === undefined || phone.mark === 'offline') return short[phone.mark];
          const version = card.version === undefined ? 'older' : `v${card.version}`;
          if (card.version === card.declared || card.mark === 'ended') return version;
          return `${version} → v${card.declared}`;
        };
        const delay = (phone) => {
          const card = phone.cards.find((card) => card.behindSince);
          return card && phone.mark !== 'shown' ? duration(labTime() - Date.parse(card.behindSince)) : '';
        };
        const sentence = (phone) => {
          const shown = phone.cards.map((card) => {
            const face = wall.faces.get(card.face);
            return face ? face.sentence : '';
          }).filter(Boolean).join('; ');
          return [`${phone.id} ${verbs[phone.mark]}`, shown, phone.note || ''].filter(Boolean).join('. ');
        };

        const cardTile = () => {
          const root = make('span', 'card');
          const score = make('span', 'score');
          const left = make('bdi', 'side');
          const points = make('span', 'points');
          const right = make('bdi', 'side');
          score.append(left, points, right);
          const title = make('span', 'title words');
          const line = make('span', 'line words');
          const progress = make('span', 'progress');
          const filled = make('i');
          progress.append(filled);
          root.append(score, title, line, progress);
          return { root, score, left, points, right, title, line, progress, filled };
        };
        const lineText = (line) => line.label ? `${line.label} ${line.value}` : line.value;
        const drawCard = (tile, card) => {
          const face = wall.faces.get(card.face) || { title: '', lines: [] };
          tile.root.dataset.phase = card.phase;
          tile.score.hidden = !face.score;
          tile.title.hidden = Boolean(face.score);
          if (face.score) {
            put(tile.left, face.score.leftShort);
            put(tile.points, face.score.text);
            put(tile.right, face.score.rightShort);
          } else {
            put(tile.title, face.title);
          }
          put(tile.line, face.lines.map(lineText).join(' · '));
          tile.progress.hidden = face.progress === undefined;
          if (face.progress !== undefined) tile.filled.style.width = `${face.progress * 100}%`;
        };
        const makePhone = (id) => {
          const root = make('button', 'phone');
          root.type = 'button';
          const island = make('span', 'island');
          const left = make('span');
          const right = make('span');
          island.append(left, right);
          const time = make('span', 'time');
          const cards = make('span', 'cards');
          const note = make('span', 'note words');
          cards.append(note);
          const foot = make('span', 'foot');
          const name = make('span', 'id', id.replace(/^phone-/, '#'));
          const state = make('span', 'status');
          const icon = make('span', 'sign');
          const words = make('span', 'words');
          state.append(icon, words);
          foot.append(name, state);
          root.append(island, time, cards, foot);
          return { root, island, left, right, time, cards, note, icon, words, drawn: [], last: '' };
        };
        const drawPhone = (tile, phone) => {
          tile.root.dataset.mark = phone.mark;
          tile.root.setAttribute('aria-label', sentence(phone));
          const leader = phone.cards.find((card) => card.leads);
          const face = leader && wall.faces.get(leader.face);
          tile.island.classList.toggle('none', !phone.island);
          tile.island.classList.toggle('leads', Boolean(face));
          put(tile.left, face ? (face.score ? face.score.leftShort : '●') : '');
          put(tile.right, face ? (face.score ? face.score.text : (face.lines[0] || { value: '' }).value) : '');
          put(tile.time, clockText(labTime()));
          while (tile.drawn.length < phone.cards.length) {
            const card = cardTile();
            tile.drawn.push(card);
            tile.cards.append(card.root);
          }
          while (tile.drawn.length > phone.cards.length) tile.drawn.pop().root.remove();
          phone.cards.forEach((card, index) => drawCard(tile.drawn[index], card));
          const note = phone.mark === 'waiting' ? 'Allow Live Activities? Don’t Allow · Allow' : phone.note || '';
          put(tile.note, note);
          tile.note.hidden = note === '';
          put(tile.icon, signs[phone.mark]);
          drawStatus(tile, phone);
          const content = phone.cards.map((card) => card.face).join();
          if (tile.last !== '' && tile.last !== content) {
            tile.root.classList.remove('fresh');
            void tile.root.offsetWidth;
            tile.root.classList.add('fresh');
          }
          tile.last = content;
        };
        const drawStatus = (tile, phone) => {
          const late = delay(phone);
          put(tile.words, late ? `${status(phone)} · ${late}` : status(phone));
        };
        const makeDot = () => {
          const root = make('button', 'dot');
          root.type = 'button';
          return { root };
        };
        const drawDot = (tile, phone) => {
          tile.root.dataset.mark = phone.mark;
          tile.root.setAttribute('aria-label', sentence(phone));
          tile.root.title = `${phone.id} ${verbs[phone.mark]}`;
        };
        const drawGrid = () => {
          const grid = $('grid');
          const matching = wall.order.filter((id) => !wall.filter || wall.phones.get(id).mark === wall.filter);
          const view = viewOf(matching.length);
          const ids = matching.slice(0, limits[view]);
          for (const button of document.querySelectorAll('[data-view]')) {
            button.setAttribute('aria-pressed', String(button.dataset.view === view));
          }
          if (view !== drawnView) {
            grid.replaceChildren();
            tiles.clear();
            grid.className = `grid ${view}`;
            drawnView = view;
            drawnOrder = '';
          }
          const minute = view === 'full' ? clockText(labTime()) : '';
          const isMinuteNew = minute !== drawnMinute;
          drawnMinute = minute;
          for (const id of ids) {
            const phone = wall.phones.get(id);
            let tile = tiles.get(id);
            if (!tile) {
              tile = view === 'dots' ? makeDot() : makePhone(id);
              tile.root.dataset.id = id;
              tile.root.tabIndex = -1;
              tiles.set(id, tile);
            }
            if (tile.phone === phone && !isMinuteNew) continue;
            tile.phone = phone;
            if (view === 'dots') drawDot(tile, phone); else drawPhone(tile, phone);
          }
          const order = ids.join();
          if (order !== drawnOrder) {
            const focused = document.activeElement && document.activeElement.dataset.id;
            grid.replaceChildren(...ids.map((id) => tiles.get(id).root));
            drawnOrder = order;
            const first = tiles.get(ids.includes(focused) ? focused : ids[0]);
            if (first) first.root.tabIndex = 0;
            if (focused && ids.includes(focused)) tiles.get(focused).root.focus();
            for (const id of [...tiles.keys()]) if (!ids.includes(id) && tiles.size > 12000) tiles.delete(id);
          }
          const rest = matching.length - ids.length;
          put($('rest'), rest > 0
            ? `${number(rest)} more phones are not drawn in this size. Choose a smaller one, or a mark above.`
            : wall.order.length === 0 && wall.lab ? 'No phones yet.'
            : matching.length === 0 && wall.filter ? 'No phone has this mark now.' : '');
        };
        $('grid').addEventListener('click', (event) => {
          const tile = event.target.closest('[data-id]');
          if (tile) tell(tile.dataset.id);
        });
        $('grid').addEventListener('keydown', (event) => {
          const all = [...$('grid').children];
          const index = all.indexOf(document.activeElement);
          if (index < 0) return;
          const columns = all.findIndex((tile) => tile.offsetTop > all[0].offsetTop);
          const row = columns > 0 ? columns : all.length;
          const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row };
          const goal = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1
            : event.key in steps ? index + steps[event.key] : -1;
          if (goal < 0 || goal >= all.length) return;
          event.preventDefault();
          all[index].tabIndex = -1;
          all[goal].tabIndex = 0;
          all[goal].focus();
        });
        for (const button of document.querySelectorAll('[data-view]')) {
          button.addEventListener('click', () => { wall.view = button.dataset.view; plan(); });
        }
        """#
}
