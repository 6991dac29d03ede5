extension WallScript {
    /// The sheet with a form made from the schema of the type, beside the raw JSON.
    static let forms = #"""
        let sheet = null;
        const typeOf = (name) => wall.types.find((type) => type.name === name) || null;
        const pretty = (value) => JSON.stringify(value, null, 2);
        const valueAt = (object, path) => path.reduce(
          (value, name) => value && typeof value === 'object' ? value[name] : undefined, object);
        const setAt = (object, path, value) => {
          const [name, ...rest] = path;
          const copy = object && typeof object === 'object' && !Array.isArray(object) ? { ...object } : {};
          if (rest.length > 0) copy[name] = setAt(copy[name], rest, value);
          else if (value === undefined) delete copy[name];
          else copy[name] = value;
          return copy;
        };
        const control = (field) => {
          if (field.kind === 'bool' || field.kind === 'choice') {
            const select = make('select');
            const values = field.kind === 'bool' ? [true, false] : field.options;
            if (!field.required) select.append(make('option', '', ''));
            for (const value of values) {
              const option = make('option', '', String(value));
              option.value = JSON.stringify(value);
              select.append(option);
            }
            return select;
          }
          const input = make('input');
          input.autocomplete = 'off';
          if (field.kind === 'integer' || field.kind === 'number') input.inputMode = 'decimal';
          return input;
        };
        // What a person typed, as a value. Undefined leaves the member out.
        const typed = (field, text) => {
          if (field.kind === 'text') return text === '' && !field.required ? undefined : text;
          if (text.trim() === '') return undefined;
          // A number that is none goes to the server as a text: that shows what a phone does with it.
          try { return JSON.parse(text); } catch { return text; }
        };
        const shownText = (field, value) => value === undefined || value === null ? ''
          : field.kind === 'text' && typeof value === 'string' ? value
          : typeof value === 'string' && field.kind !== 'choice' ? value : JSON.stringify(value);
        const fill = (fields, root, raw) => {
          const inputs = (fields || []).filter((field) => field.path[0] !== 'eyotActivityName').map((field) => {
            const label = make('label', '', `${field.label}${field.required ? '' : ' (optional)'} `);
            const input = control(field);
            label.append(input);
            input.addEventListener('input', () => {
              let value;
              try { value = JSON.parse(raw.value || '{}'); } catch { return; }
              raw.value = pretty(setAt(value, field.path, typed(field, input.value)));
            });
            return { field, label, input };
          });
          const read = () => {
            let value;
            try { value = JSON.parse(raw.value || '{}'); } catch { return; }
            for (const { field, input } of inputs) {
              if (document.activeElement !== input) input.value = shownText(field, valueAt(value, field.path));
            }
          };
          root.replaceChildren(...inputs.map(({ label }) => label));
          if (inputs.length === 0) root.append(make('p', 'quiet', 'No schema is known for this type: write JSON.'));
          raw.oninput = read;
          read();
        };
        const example = (fields) => (fields || []).filter((field) => field.required).reduce((value, field) =>
          setAt(value, field.path, { integer: 0, number: 0, text: '', bool: false, json: null,
            choice: field.options[0] }[field.kind]), {});
        const openSheet = (mode) => {
          const activity = chosen();
          sheet = { mode, name: activity && activity.name };
          const isStart = mode === 'start';
          put($('declare-title'), isStart ? 'Start an activity on all phones' : `Declare a state of ${activity.name}`);
          $('start-row').hidden = !isStart;
          $('attributes-part').hidden = !isStart;
          $('declare-end').hidden = isStart;
          put($('declare-submit'), isStart ? 'Start' : 'Declare');
          put($('declare-problem'), '');
          $('alert-title').value = isStart ? 'It begins' : '';
          $('alert-body').value = isStart ? 'Watch it on your Lock Screen' : '';
          if (isStart) {
            $('start-type').replaceChildren(...wall.types.map((type) => {
              const option = make('option', '', type.name);
              option.value = type.name;
              return option;
            }));
            $('start-name').value = `activity-${wall.declared.length + 1}`;
            fillStart();
          } else {
            $('state-raw').value = pretty(JSON.parse(activity.contentText));
            // Numbers keep their literals until a field is edited.
            if (JSON.stringify(JSON.parse(activity.contentText)) !== activity.contentText) {
              $('state-raw').value = activity.contentText;
            }
            const type = typeOf(activity.type);
            fill(type && type.contentState, $('state-fields'), $('state-raw'));
          }
          $('declare').showModal();
        };
        const fillStart = () => {
          const type = typeOf($('start-type').value);
          const isMatch = type.name === match.type;
          $('attributes-raw').value = pretty(isMatch ? match.attributes : example(type.attributes));
          $('state-raw').value = pretty(isMatch ? match.contentState : example(type.contentState));
          fill(type.attributes, $('attributes-fields'), $('attributes-raw'));
          fill(type.contentState, $('state-fields'), $('state-raw'));
        };
        const member = (name, text) => `${JSON.stringify(name)}:${text.trim() || '{}'}`;
        const submit = async (verb) => {
          put($('declare-problem'), '');
          const members = [member('contentState', $('state-raw').value)];
          const [title, body] = [$('alert-title').value, $('alert-body').value];
          if (title || body) members.push(member('alert', JSON.stringify({ title, body })));
          let name = sheet.name;
          if (verb === 'start') {
            name = $('start-name').value;
            members.push(member('type', JSON.stringify($('start-type').value)),
              member('attributes', $('attributes-raw').value), '"audience":"all"', '"restartDismissed":true');
          }
          try {
            const answer = await call('POST', path(name, verb), `{${members.join()}}`);
            wall.activity = name;
            $('declare').close();
            toast(accepted(answer));
          } catch (error) {
            put($('declare-problem'), error.message);
          }
        };
        $('edit').addEventListener('click', () => openSheet('update'));
        $('new').addEventListener('click', () => openSheet('start'));
        $('start-type').addEventListener('change', fillStart);
        $('declare-form').addEventListener('submit', (event) => {
          event.preventDefault();
          submit(sheet.mode);
        });
        $('declare-end').addEventListener('click', () => submit('end'));
        """#
}
