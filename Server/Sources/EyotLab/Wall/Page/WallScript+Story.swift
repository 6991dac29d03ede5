extension WallScript {
    /// The drawer: what came to a phone and what it did with it, beside what the server says.
    static let story = #"""
        let openPhone = null;
        let tellTimer = 0;
        const tell = async (id) => {
          openPhone = id;
          const phone = wall.phones.get(id);
          put($('drawer-title'), `${id} ${phone ? verbs[phone.mark] : ''}`);
          if (!$('drawer').open) {
            $('drawer-facts').textContent = '';
            $('finding').replaceChildren();
            $('server-story').replaceChildren();
            $('phone-story').replaceChildren();
            $('drawer').showModal();
          }
          drawActions(phone);
          try {
            const why = await call('GET', `/phones/${encodeURIComponent(id)}/why`);
            if (openPhone === id) drawWhy(phone, why);
          } catch (error) {
            toast(error.message, true);
          }
        };
        const tellSoon = () => {
          if (tellTimer) return;
          tellTimer = setTimeout(() => {
            tellTimer = 0;
            if (openPhone && $('drawer').open) tell(openPhone);
          }, 1000);
        };
        $('drawer').addEventListener('close', () => { openPhone = null; });
        const drawActions = (phone) => {
          if (!phone) return;
          const isOnline = phone.mark !== 'offline';
          const actions = [[isOnline ? 'offline' : 'online', isOnline ? 'Go offline' : 'Go online']];
          if (phone.cards.length > 0) actions.push(['dismiss', 'Swipe the card away']);
          if (phone.mark === 'waiting') actions.push(['allow', 'Press Allow']);
          actions.push(['quit', 'Quit the app'], ['relaunch', 'Open the app anew'], ['reboot', 'Restart the phone']);
          const key = actions.map(([action]) => action).join();
          const root = $('drawer-actions');
          if (root.dataset.key === `${phone.id} ${key}`) return;
          root.dataset.key = `${phone.id} ${key}`;
          root.replaceChildren(...actions.map(([action, title]) => {
            const button = make('button', '', title);
            button.type = 'button';
            button.addEventListener('click', () => attempt(async () => {
              const named = phone.cards[0] && phone.cards[0].name;
              const body = action === 'dismiss' && named ? { name: named } : {};
              // An app that is open is not launched again.
              const path = `/phones/${encodeURIComponent(phone.id)}`;
              if (action === 'relaunch') await call('POST', `${path}/quit`, {});
              await call('POST', `${path}/${action}`, body);
              tellSoon();
            }));
            return button;
          }));
        };
        const item = (at, kind, text, detail) => {
          const root = make('li');
          root.dataset.kind = kind;
          const time = make('time', '', clockText(Date.parse(at), true));
          time.dateTime = at;
          const words = make('div', 'words', text);
          if (detail) words.append(make('small', 'words', detail));
          root.append(time, make('i'), words);
          return root;
        };
        const fine = new Set(['shown', 'upToDate', 'ended', 'superseded']);
        const moving = new Set(
          ['onItsWay', 'startPlanned', 'startOnItsWay', 'offline', 'waitingForAllow', 'heldByCanary']);
        const kindOf = (event) => /refused|unknown|dead|expired|suspected|dismissed|paused/.test(event) ? 'bad'
          : /accepted|appeared|reported|shown/.test(event) ? 'good' : 'neutral';
        const drawWhy = (phone, why) => {
          const device = why.server && why.server.device;
          put($('drawer-facts'), [phone && phone.user, device && `device ${device} of the server`, ...(why.settings || [])].filter(Boolean).join(' · '));
          const finding = why.server && why.server.finding;
          const root = $('finding');
          root.replaceChildren();
          root.dataset.kind = !finding ? 'waiting' : fine.has(finding.code) ? 'good'
            : moving.has(finding.code) ? 'waiting' : 'bad';
          root.append(make('b', 'words', finding ? finding.sentence : why.serverProblem || ''));
          if (finding) {
            root.append(make('span', 'quiet words', [
              { certain: 'Certain.', likely: 'Likely.', possible: 'Possible.' }[finding.confidence] || '',
              finding.remedy || '', ...(finding.evidence || []),
            ].filter(Boolean).join(' ')));
          }
          const server = (why.server && why.server.story) || [];
          $('server-story').replaceChildren(...[...server].reverse().slice(0, 60).map((entry) => item(
            entry.at, kindOf(entry.event), entry.text,
            [kindOf(entry.event) === 'bad' && entry.reason, entry.apnsId ? `apns-id ${entry.apnsId}` : ''].filter(Boolean).join(' · '))));
          $('phone-story').replaceChildren(...[...why.phone].reverse().slice(0, 60).map((entry) => item(
            entry.at, entry.outcome, entry.text,
            [entry.detail, entry.apnsId ? `priority ${entry.priority} · apns-id ${entry.apnsId}` : '']
              .filter(Boolean).join(' · '))));
          if (why.phone.length === 0) {
            $('phone-story').append(item(wall.lab.now, 'neutral', 'Nothing has come to this phone yet.'));
          }
        };
        """#
}
