import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { LiveActivities, LiveActivityError } from '../index.js';
import { BridgeProcess } from './bridge-process.js';
import { transports } from './frameworks.js';

const match = (score) => ({
  attributesType: 'MatchAttributes',
  attributes: { match: 'final' },
  content: { state: { score } },
});

/** The bodies that a listener gets, one after the other. */
function bodies(liveActivities) {
  const waiting = [];
  const come = [];
  const stop = liveActivities.onChange((body) => {
    const resolve = waiting.shift();
    if (resolve) resolve(body);
    else come.push(body);
  });
  const next = () => (come.length > 0 ? Promise.resolve(come.shift()) : new Promise((resolve) => waiting.push(resolve)));
  return { next, come, stop };
}

for (const [name, transport] of Object.entries(transports)) {
  describe(`Live Activities over ${name}`, { timeout: 60_000 }, () => {
    let bridge;
    let live;

    beforeEach(() => {
      bridge = new BridgeProcess();
      live = new LiveActivities(transport(bridge));
    });
    afterEach(() => bridge.kill());

    const refusal = async (call, code) => {
      const error = await call.then(() => assert.fail('nothing was refused'), (error) => error);
      assert.ok(error instanceof LiveActivityError, String(error));
      assert.equal(error.code, code);
      return error.message;
    };

    test('start answers the card, whose type goes under both names', async () => {
      const staleDate = new Date('2022-12-18T18:30:00Z');
      const card = await live.start({ ...match(1), content: { state: { score: 1 }, staleDate, relevanceScore: 50 } });
      assert.deepEqual(card, {
        id: card.id,
        attributesType: 'MatchAttributes',
        attributeTypes: 'MatchAttributes',
        state: 'active',
        content: { state: { score: 1 }, staleDate: '2022-12-18T18:30:00Z', relevanceScore: 50 },
        attributes: { match: 'final' },
      });
    });

    test('either spelling of the type is taken', async () => {
      const { attributesType, ...rest } = match(1);
      const card = await live.start({ attributeTypes: attributesType, ...rest });
      const [listed] = await live.list({ attributeTypes: 'MatchAttributes' });
      assert.deepEqual(listed, card);
      await live.update({ attributeTypes: attributesType, activityId: card.id, content: { state: { score: 2 } } });
      await live.end({ attributeTypes: attributesType, activityId: card.id });
      assert.deepEqual((await live.listAll()).map((it) => it.state), ['ended']);
    });

    test('update and end change the card, and resolve to nothing', async () => {
      const { id } = await live.start(match(0));
      assert.equal(await live.update({ activityId: id, content: { state: { score: 2 } } }), undefined);
      assert.deepEqual((await live.list({ attributesType: 'MatchAttributes' }))[0].content.state, { score: 2 });
      await bridge.phone('push', { card: id, event: 'update', state: { score: 3 } });
      const policy = { type: 'after', date: new Date('2022-12-18T16:00:00Z') };
      const end = { activityId: id, content: { state: { score: 4 } }, dismissalPolicy: policy };
      assert.equal(await live.end(end), undefined);
      const [card] = await live.listAll();
      assert.deepEqual([card.state, card.content.state], ['ended', { score: 4 }]);
    });

    test('an immediate end takes the card away', async () => {
      const { id } = await live.start(match(0));
      await live.end({ activityId: id, dismissalPolicy: { type: 'immediate' } });
      assert.deepEqual(await live.listAll(), []);
    });

    test('list has one type, listAll has all', async () => {
      const { id } = await live.start(match(0));
      const pushed = { type: 'DeliveryAttributes', attributes: { order: 7 }, state: { due: 3 } };
      assert.equal(await bridge.phone('start', pushed), 'started');
      assert.deepEqual((await live.list({ attributesType: 'MatchAttributes' })).map((it) => it.id), [id]);
      const all = await live.listAll();
      assert.deepEqual(all.map((it) => it.attributesType).sort(), ['DeliveryAttributes', 'MatchAttributes']);
    });

    test('what is wrong with a call is an error with a code and a place', async () => {
      const content = { state: { score: 1 } };
      assert.equal(await refusal(live.list({}), 'badRequest'), 'attributesType is missing');
      assert.match(await refusal(live.start({ ...match(1), alert: {} }), 'badRequest'), /^alert is not a field/);
      assert.match(await refusal(live.list({ attributesType: 'X' }), 'typeNotRegistered'), /are MatchAttributes, D/);
      assert.match(await refusal(live.update({ activityId: 'x', content }), 'cardNotFound'), /the id x /);
      assert.match(await refusal(live.start(match('1')), 'decodingFailed'), /^content\.state\.score: /);
      const { id } = await live.start(match(0));
      const policy = { activityId: id, dismissalPolicy: { type: 'later' } };
      assert.match(await refusal(live.end(policy), 'badDismissalPolicy'), /^dismissalPolicy\.type /);
      await live.end({ activityId: id });
      await refusal(live.update({ activityId: id, content }), 'cardEnded');
    });

    test('a start that the system refuses says why', async () => {
      await bridge.phone('background');
      await refusal(live.start(match(0)), 'inBackground');
      await bridge.phone('foreground');
      await bridge.phone('allow', { isOn: false });
      await refusal(live.start(match(0)), 'switchedOff');
    });

    test('a listener hears of the cards at once, and of every change, whoever makes it', async () => {
      const heard = bodies(live);
      assert.deepEqual(await heard.next(), { activities: [] });
      const card = await live.start(match(0));
      assert.deepEqual(await heard.next(), { activities: [card] });
      assert.equal(await bridge.phone('push', { card: card.id, event: 'update', state: { score: 1 } }), 'updated');
      assert.deepEqual((await heard.next()).activities[0].content.state, { score: 1 });
      await bridge.phone('dismiss', { card: card.id });
      assert.deepEqual(await heard.next(), { activities: [] });
    });

    test('two listeners hear the same, and one that stops disturbs nobody', async () => {
      const first = bodies(live);
      assert.deepEqual(await first.next(), { activities: [] });
      const second = bodies(live);
      assert.deepEqual(await second.next(), { activities: [] });
      const { id } = await live.start(match(0));
      assert.equal((await first.next()).activities[0].id, id);
      assert.equal((await second.next()).activities[0].id, id);
      first.stop();
      first.stop();
      await bridge.phone('push', { card: id, event: 'update', state: { score: 1 } });
      assert.deepEqual((await second.next()).activities[0].content.state, { score: 1 });
      assert.deepEqual(first.come, []);
      assert.equal(bridge.listenerCount, 1);
    });

    test('after the last listener nothing is observed, and a later one begins anew', async () => {
      const early = bodies(live);
      await early.next();
      early.stop();
      const { id } = await live.start(match(0));
      assert.equal(bridge.listenerCount, 0);
      const late = bodies(live);
      assert.deepEqual((await late.next()).activities.map((it) => it.id), [id]);
      assert.deepEqual(early.come, []);
    });

    test('a listener that stops itself keeps nobody else from hearing', async () => {
      const failing = live.onChange(() => failing());
      const heard = bodies(live);
      assert.deepEqual(await heard.next(), { activities: [] });
    });

    test('when the process dies, calls fail that wait and calls that come', async () => {
      const waiting = live.listAll();
      const ended = bridge.kill();
      await refusal(waiting, 'transportFailed');
      await ended;
      await refusal(live.listAll(), 'transportFailed');
    });
  });
}
