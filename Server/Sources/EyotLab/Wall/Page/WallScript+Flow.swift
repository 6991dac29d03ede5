extension WallScript {
    /// The four steps above the phones, with what a person can do at each.
    static let flow = #"""
        const faults = [
          ['none', 'At once', 'good', null, 1],
          ['slow', 'Slow: 2 s', 'warn', { late: 2 }, 1],
          ['busy', '429 to each', 'warn', 'TooManyRequests', 1],
          ['dead', '410 to each tenth', 'warn', 'Unregistered', 10],
          ['silent', 'Silent', 'bad', 'stall', 1],
        ];
        for (const [name, title] of faults) {
          const option = make('option', '', title);
          option.value = name;
          $('fault').append(option);
        }
        const faultOf = (lab) => {
          if (!lab.fault) return lab.waitingFaults > 0
            ? ['other', `${number(lab.waitingFaults)} faults wait`, 'warn'] : faults[0];
          const verdict = JSON.stringify(lab.fault.verdict);
          return faults.find(([, , , known]) => JSON.stringify(known) === verdict) || ['other', 'Faulty', 'warn'];
        };
        // With several activities the sentence is about the cards of the chosen one.
        const summaryOfChosen = () => {
          const cards = [...wall.phones.values()].flatMap((phone) => phone.mark === 'offline' ? []
            : phone.cards.filter((card) => card.name === wall.activity));
          const shown = cards.filter((card) => card.mark === 'shown').length;
          const ended = cards.filter((card) => card.mark === 'ended').length;
          const name = cards.length === 1 ? 'card' : 'cards';
          if (shown === 0 && ended > 0) return `${number(ended)} of ${number(cards.length)} ${name} in view show the end`;
          return `${number(shown)} of ${number(cards.length)} ${name} in view up to date`;
        };
        const summary = () => {
          if (wall.declared.length > 1 && wall.activity !== null && wall.phones.size > 0) return summaryOfChosen();
          const all = counts();
          const total = wall.phones.size;
          if (total === 0) return '';
          if (all.empty === total) return 'No card on any phone yet';
          if (all.shown === 0 && all.ended > 0) return `${number(all.ended)} of ${number(total)} show the end`;
          return `${number(all.shown)} of ${number(total)} up to date`;
        };
        const declaredTile = { key: '' };
        const drawDeclared = (activity) => {
          const face = activity && wall.faces.get(activity.face);
          const key = JSON.stringify([activity && activity.name, activity && activity.state, face]);
          if (key === declaredTile.key) return;
          declaredTile.key = key;
          const root = $('declared');
          root.replaceChildren();
          if (!activity || !face) {
            root.append(make('div', 'title', 'Nothing yet'));
            return;
          }
          if (face.score) {
            const score = make('div', 'score');
            score.append(make('bdi', 'side', face.score.left), make('span', 'points', face.score.text),
              make('bdi', 'side', face.score.right));
            root.append(score);
          } else {
            root.append(make('div', 'title words', face.title));
          }
          root.append(make('span', 'lines words', face.lines.map(lineText).join(' · ')));
        };
        const canGoOn = (activity) => {
          if (!activity || activity.state !== 'active') return null;
          const face = wall.faces.get(activity.face);
          if (!face) return null;
          if (face.score) return 'Goal!';
          return face.progress !== undefined || face.lines.some((line) => line.label) ? 'Next step' : null;
        };
        const hasMatch = () => wall.types.some((type) => type.name === 'MatchAttributes');
        const drawActivities = () => {
          const select = $('activity');
          const names = wall.declared.map((activity) => activity.name);
          if ([...select.options].map((option) => option.value).join('\n') !== names.join('\n')) {
            select.replaceChildren(...names.map((name) => {
              const option = make('option', '', name);
              option.value = name;
              return option;
            }));
          }
          select.hidden = names.length < 2;
          if (wall.activity !== null) select.value = wall.activity;
        };
        const drawFlow = () => {
          const activity = chosen();
          drawActivities();
          drawDeclared(activity);
          const isUp = Boolean(wall.lab) && wall.lab.server === 'running';
          const step = canGoOn(activity);
          const isRunning = Boolean(activity) && activity.state === 'active';
          put($('goal'), step || (hasMatch() && !isRunning ? 'Start a match' : 'Goal!'));
          $('goal').disabled = !isUp || !(step || (hasMatch() && !isRunning));
          $('edit').disabled = !isUp || !isRunning;
          $('new').disabled = !isUp || wall.types.length === 0;
          if (wall.lab) {
            put($('server'), isUp ? 'Running' : 'Down');
            $('server-dot').className = `light ${isUp ? 'good' : 'bad'}`;
            put($('server-note'), isUp ? 'brings phones up to date' : 'phones keep what they show');
            put($('kill'), isUp ? 'Kill' : 'Start');
            $('kill').className = isUp ? 'danger' : 'primary';
            const [name, , light] = faultOf(wall.lab);
            $('apple-dot').className = `light ${light}`;
            if (document.activeElement !== $('fault') && name !== 'other') $('fault').value = name;
            put($('apple'), `${number(wall.lab.pushes)} pushes`);
            const speed = String(wall.lab.speed);
            if (document.activeElement !== $('speed')) $('speed').value = speed;
          }
          const all = counts();
          put($('total'), number(wall.phones.size));
          put($('share'), summary() || '–');
          $('allow-all').hidden = all.waiting === 0;
          drawShares(all);
          drawTimes();
        };
        const shares = new Map();
        const drawShares = (all) => {
          for (const [mark] of marks) {
            let part = shares.get(mark);
            if (!part) {
              part = make('i');
              part.dataset.mark = mark;
              part.style.background = `var(--${mark})`;
              shares.set(mark, part);
              $('shares').append(part);
            }
            part.style.flexGrow = all[mark];
            part.hidden = all[mark] === 0;
          }
        };
        const drawTimes = () => {
          if (!wall.lab) return;
          put($('clock'), clockText(labTime(), true));
          const activity = chosen();
          put($('declared-note'), !activity ? 'Start a match: cards appear on the phones below'
            : [activity.name, `version ${activity.stateVersion}`,
              activity.state === 'ended' ? 'ended' : activity.halted ? 'halted'
                : activity.declaredAt ? `${duration(labTime() - Date.parse(activity.declaredAt))} ago` : '']
              .filter(Boolean).join(' · '));
          for (const tile of tiles.values()) {
            if (tile.phone && tile.words && tile.phone.mark !== 'shown') drawStatus(tile, tile.phone);
          }
        };
        const path = (name, verb) => `/activities/${encodeURIComponent(name)}/${verb}`;
        const match = {
          type: 'MatchAttributes', attributes: { home: 'Argentina', away: 'France' },
          contentState: { homeScore: 0, awayScore: 0, clock: "1'" },
          alert: { title: 'Kick-off', body: 'Argentina – France' }, audience: 'all', restartDismissed: true,
        };
        const accepted = (answer) => `Accepted as version ${answer.version}.`
          + (answer.warnings && answer.warnings.length ? ` ${answer.warnings[0]}` : '');
        $('goal').addEventListener('click', () => {
          const activity = chosen();
          if (canGoOn(activity)) {
            attempt(() => call('POST', path(activity.name, 'goal'), {}), accepted);
          } else {
            const name = activity && activity.type === 'MatchAttributes' ? activity.name : 'final';
            wall.activity = name;
            attempt(() => call('POST', path(name, 'start'), match), accepted);
          }
        });
        $('activity').addEventListener('change', () => { wall.activity = $('activity').value; plan(); });
        $('kill').addEventListener('click', () => {
          const isUp = wall.lab && wall.lab.server === 'running';
          attempt(() => call('POST', isUp ? '/server/kill' : '/server/start'),
            isUp ? 'The server was killed, as by a crash.' : 'The server runs again.');
        });
        $('fault').addEventListener('change', () => {
          const [, title, , standing, every] = faults.find(([name]) => name === $('fault').value);
          attempt(() => standing === null ? call('DELETE', '/faults') : call('POST', '/faults', { standing, every }),
            `How Apple answers from now on: ${title}.`);
        });
        $('speed').addEventListener('change', () => attempt(
          () => call('POST', '/clock/speed', { speed: Number($('speed').value) }),
          (answer) => `The lab’s clock runs at ${answer.speed}×.`));
        $('hour').addEventListener('click', () => attempt(
          () => call('POST', '/clock/advance', { seconds: 3600 }), 'The lab’s clock went forward an hour.'));
        for (const button of document.querySelectorAll('[data-crowd]')) {
          button.addEventListener('click', () => {
            const action = button.dataset.crowd;
            const percent = action === 'offline' || action === 'dismiss' ? 10 : 100;
            const words = { offline: 'went offline', online: 'are online again', dismiss: 'swiped their cards away',
              allow: 'pressed Allow' };
            attempt(() => call('POST', '/phones/act', { action, percent }),
              (answer) => `${number(answer.phones.length)} phones ${words[action]}.`);
          });
        }
        """#
}
