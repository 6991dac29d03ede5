import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveActivities, LiveActivityError, capacitorTransport, reactNativeTransport, resultOf } from '../index.js';

test('without the native module every call says so, and nothing is heard', async () => {
  const live = new LiveActivities(reactNativeTransport({}, class {}));
  const stop = live.onChange(() => assert.fail('nothing can be heard'));
  stop();
  await assert.rejects(live.listAll(), { name: 'LiveActivityError', code: 'unavailable', message: /EyotLiveActivities/ });
});

test('a platform without the plugin is unavailable, whatever else fails is a failed transport', async () => {
  const failing = (error) =>
    new LiveActivities(
      capacitorTransport({ call: () => Promise.reject(error), addListener: () => Promise.reject(error) }),
    );
  const absent = Object.assign(new Error('not implemented on android'), { code: 'UNIMPLEMENTED' });
  await assert.rejects(failing(absent).listAll(), { code: 'unavailable', message: 'not implemented on android' });
  failing(absent).onChange(() => {})();
  const lost = new Error('lost');
  await assert.rejects(failing(lost).listAll(), (error) => error.code === 'transportFailed' && error.cause === lost);
});

test('a Capacitor listener that stops before it is registered is never called', async () => {
  let registered;
  let tell;
  let removed = 0;
  const handle = new Promise((resolve) => (registered = resolve));
  const plugin = { observe: async () => {}, addListener: (event, listener) => ((tell = listener), handle) };
  capacitorTransport(plugin).onEvent(() => assert.fail('it has stopped'))();
  tell({ body: '{"activities":[]}' });
  registered({ remove: () => removed++ });
  await handle;
  await null;
  assert.equal(removed, 1);
});

test('a listener that throws is heard of, after all others were called', () => {
  let tell;
  const live = new LiveActivities({ onEvent: (listener) => ((tell = listener), () => {}) });
  const heard = [];
  live.onChange(() => {
    throw new Error('mine');
  });
  live.onChange((body) => heard.push(body));
  assert.throws(() => tell({ activities: [] }), /mine/);
  assert.deepEqual(heard, [{ activities: [] }]);
});

test('the same function may listen twice, and hears twice', () => {
  let tell;
  const live = new LiveActivities({ onEvent: (listener) => ((tell = listener), () => {}) });
  let count = 0;
  const listener = () => count++;
  const stop = live.onChange(listener);
  live.onChange(listener);
  tell({ activities: [] });
  stop();
  tell({ activities: [] });
  assert.equal(count, 3);
});

test('an answer is its result or its error', () => {
  assert.deepEqual(resultOf('{"result":[1]}'), [1]);
  assert.throws(
    () => resultOf('{"error":{"code":"cardEnded","message":"it has"}}'),
    (error) => error instanceof LiveActivityError && error.code === 'cardEnded' && error.message === 'it has',
  );
});
