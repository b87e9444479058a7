import fc from 'fast-check';
import { foldEvents, messageOf } from '../decider.fake.ts';
import type { Envelope } from '../decider.fake.ts';
import { decideSourceDeleted, findEnded, removeEnded } from './cascade.ts';
import { decideListener } from './decide.ts';
import { evolveListeners, noListeners } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerCommand, ListenerEvent, SubscriptionTriple } from './messages.ts';
import type { Repeatable } from '../definition/messages.ts';

const hourMs = 60 * 60 * 1000;
const webhook: (ListenerEvent & { readonly type: 'WebhookCreated' })['data'] = {
  webhookId: 'wh_1',
  userId: 'u_1',
  fingerprint: 'f1',
  url: 'https://example.com/in',
  name: null,
  description: null,
  ordered: true,
  retrySchedule: null,
  signingKey: { $sealed: 'AAAA' },
};
const triple: SubscriptionTriple = { emitterId: 'dc_1', listenerId: 'wh_1', eventName: null };
const subscription: SubscriptionTriple & Repeatable & { readonly subscriptionId: string } = {
  ...triple,
  subscriptionId: 'sub_1',
  fingerprint: 'f2',
};

const given = (...events: ListenerEvent[]): Listeners => foldEvents(noListeners(), evolveListeners, events);
const when = (state: Listeners, command: ListenerCommand, channelEnds: readonly number[] = [7, 9]) =>
  decideListener(state, command, {
    at: command.at,
    channelEnds,
    sourceExists: (id) => /^dc_[12]$/.test(id),
    isOwner: (id) => id === 'o_home' || id === 'u_1',
  });
const reasonOf = (state: Listeners, command: ListenerCommand): unknown =>
  when(state, command).map(({ type, data }) => [type, 'reason' in data ? data.reason : null])[0];

const created = (change: Partial<typeof webhook> = {}, envelope: Envelope = {}): ListenerEvent =>
  messageOf('WebhookCreated', { ...webhook, ...change }, envelope);
const subscribed = (change: Partial<typeof subscription> = {}, envelope: Envelope = {}): ListenerEvent =>
  messageOf('SubscriptionCreated', { ...subscription, channelEnds: [], ...change }, envelope);
const create = (change: Partial<typeof webhook> = {}, envelope: Envelope = {}): ListenerCommand =>
  messageOf('CreateWebhook', { ...webhook, ...change }, envelope);
const subscribe = (change: Partial<typeof subscription> = {}, envelope: Envelope = {}): ListenerCommand =>
  messageOf('CreateSubscription', { ...subscription, ...change }, envelope);
const deleted = messageOf('WebhookDeleted', { webhookId: 'wh_1' });
const disabled = messageOf('WebhookDisabled', { webhookId: 'wh_1', reason: 'gone' } as const);
const unsubscribed = messageOf('SubscriptionDeleted', { ...triple, subscriptionId: 'sub_1' });

describe('the filter of a subscription', () => {
  const filter = { kind: ['new'] };
  const update = (envelope: Envelope = {}) =>
    messageOf('UpdateSubscription', { subscriptionId: 'sub_1', filter }, envelope);

  test('is recorded as requested, and so is a new one', () => {
    const command = messageOf('CreateSubscription', { ...subscription, filter });
    expect(when(given(created()), command)).toMatchObject([{ type: 'SubscriptionCreated', data: { filter } }]);
    expect(when(given(created(), subscribed()), update())).toEqual([
      { type: 'SubscriptionUpdated', data: { subscriptionId: 'sub_1', filter } },
    ]);
  });

  test('is kept with the filters before it, those of an earlier program with their places', () => {
    const updated = { subscriptionId: 'sub_1', filter: null };
    const { filters } = given(
      created(),
      messageOf('SubscriptionCreated', { ...subscription, channelEnds: [], filter }),
      messageOf('SubscriptionUpdated', { ...updated, channelEnds: [7, 9] }),
      messageOf('SubscriptionUpdated', { ...updated, filter }),
      messageOf('SubscriptionUpdated', updated),
    );
    expect(filters.get('sub_1')).toEqual([
      { channelEnds: [], filter },
      { channelEnds: [7, 9], filter: null },
      { channelEnds: [], version: 1, filter },
      { channelEnds: [], version: 2, filter: null },
    ]);
  });

  test('is refused for an unknown or deleted subscription', () => {
    const refusal = ['SubscriptionUpdateRefused', 'subscription_not_found'];
    expect(reasonOf(given(created()), update())).toEqual(refusal);
    expect(reasonOf(given(created(), subscribed()), update({ workspace: 'o_2' }))).toEqual(refusal);
    expect(reasonOf(given(created(), subscribed(), deleted), update())).toEqual(refusal);
  });
});

describe('a webhook', () => {
  const remove = (envelope: Envelope = {}) => messageOf('DeleteWebhook', { webhookId: 'wh_1' }, envelope);
  const disable = (envelope: Envelope = {}) =>
    messageOf('DisableWebhook', { webhookId: 'wh_1', reason: 'gone' } as const, envelope);

  test('is created as requested', () => {
    expect(when(given(), create())).toEqual([{ type: 'WebhookCreated', data: webhook }]);
  });

  test('requested again within 24 hours is the existing one', () => {
    const [decided] = when(given(created()), create({}, { at: 24 * hourMs - 1 }));
    expect(decided).toMatchObject({
      type: 'WebhookCreateRefused',
      data: { webhookId: 'wh_1', reason: 'repeated', existingId: 'wh_1' },
    });
  });

  test.each([
    ['after 24 hours', given(created()), create({}, { at: 24 * hourMs })],
    ['with another request', given(created()), create({ fingerprint: 'other' })],
    ['without a key', given(created({ fingerprint: null })), create({ fingerprint: null })],
    ['once it was deleted', given(created(), deleted), create()],
    ['from another workspace', given(created()), create({}, { workspace: 'o_other' })],
  ])('whose id is used again %s is a conflict', (_name, state, command) => {
    expect(reasonOf(state, command)).toEqual(['WebhookCreateRefused', 'idempotency_conflict']);
    expect(when(state, command)[0]?.data).not.toHaveProperty('existingId');
  });

  test('takes its subscriptions with it when deleted', () => {
    const state = given(created(), subscribed(), subscribed({ subscriptionId: 'sub_2', emitterId: 'dc_2' }));
    expect(when(state, remove())).toMatchObject([
      { type: 'WebhookDeleted', data: { webhookId: 'wh_1', createdAt: expect.any(Number) } },
    ]);
    evolveListeners(state, deleted);
    expect(reasonOf(state, messageOf('DeleteSubscription', triple))).toEqual([
      'SubscriptionDeleteRefused',
      'subscription_not_found',
    ]);
    expect(removeEnded(state, 1).map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1']);
    expect(removeEnded(state, 9).map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_2']);
    expect([removeEnded(state, 9), state.ended.size, state.subscriptions.size]).toEqual([[], 0, 0]);
  });

  test.each([
    ['is unknown', given(), remove()],
    ['was deleted', given(created(), deleted), remove()],
    ['is of another workspace', given(created()), remove({ workspace: 'o_other' })],
  ])('cannot be deleted when it %s', (_name, state, command) => {
    expect(reasonOf(state, command)).toEqual(['WebhookDeleteRefused', 'webhook_not_found']);
  });

  test('is disabled once', () => {
    expect(when(given(created()), disable())).toEqual([
      { type: 'WebhookDisabled', data: { webhookId: 'wh_1', reason: 'gone' } },
    ]);
    expect(reasonOf(given(created(), disabled), disable())).toEqual(['WebhookDisableRefused', 'webhook_disabled']);
    expect(reasonOf(given(), disable())).toEqual(['WebhookDisableRefused', 'webhook_not_found']);
  });
});

describe('a subscription', () => {
  const remove = (change: Partial<SubscriptionTriple> = {}, envelope: Envelope = {}) =>
    messageOf('DeleteSubscription', { ...triple, ...change }, envelope);

  test('begins at the ends of the channels at the time of the request', () => {
    expect(when(given(created()), subscribe())).toEqual([
      { type: 'SubscriptionCreated', data: { ...subscription, channelEnds: [7, 9] } },
    ]);
  });

  test.each(['dc_*', 'o_home', 'u_1'])(
    'to every source, by %s, needs no source to exist and does not end with one',
    (emitterId) => {
      expect(when(given(created()), subscribe({ emitterId }))[0]?.type).toBe('SubscriptionCreated');
      const state = given(created(), subscribed({ emitterId }));
      expect(decideSourceDeleted(state, 'dc_1')).toEqual([]);
      expect(when(state, remove({ emitterId }))[0]?.type).toBe('SubscriptionDeleted');
    },
  );

  test.each([
    ['webhook_not_found', 'its webhook is unknown', given(), subscribe()],
    ['webhook_not_found', 'its webhook was deleted', given(created(), deleted), subscribe()],
    ['webhook_not_found', 'its webhook is foreign', given(created({}, { workspace: 'o_other' })), subscribe()],
    ['webhook_disabled', 'its webhook is disabled', given(created(), disabled), subscribe()],
    ['emitter_not_found', 'its source is unknown', given(created()), subscribe({ emitterId: 'dc_9' })],
    ['emitter_not_found', 'its source is another workspace', given(created()), subscribe({ emitterId: 'o_other' })],
    ['emitter_not_found', 'its source is another user', given(created()), subscribe({ emitterId: 'u_2' })],
    ['idempotency_conflict', 'its id was deleted', given(created(), subscribed(), unsubscribed), subscribe()],
  ])('is refused with %s when %s', (reason, _name, state, command) => {
    expect(reasonOf(state, command)).toEqual(['SubscriptionCreateRefused', reason]);
  });

  test('with the same three parts is the existing one', () => {
    const [decided] = when(given(created(), subscribed()), subscribe({ subscriptionId: 'sub_2', fingerprint: 'f3' }));
    expect(decided).toMatchObject({
      type: 'SubscriptionCreateRefused',
      data: { subscriptionId: 'sub_2', reason: 'repeated', existingId: 'sub_1' },
    });
  });

  test('on another channel is a different subscription', () => {
    const other = { ...subscribe().data, subscriptionId: 'sub_2', eventName: 'issues' };
    const [decided] = when(given(created(), subscribed()), messageOf('CreateSubscription', other) as ListenerCommand);
    expect(decided?.type).toBe('SubscriptionCreated');
  });

  test('is deleted by its three parts, and can then be made again', () => {
    const state = given(created(), subscribed());
    expect(when(state, remove())).toEqual([
      { type: 'SubscriptionDeleted', data: { ...triple, subscriptionId: 'sub_1', createdAt: expect.any(Number) } },
    ]);
    const again = when(given(created(), subscribed(), unsubscribed), subscribe({ subscriptionId: 'sub_2' }));
    expect(again[0]?.type).toBe('SubscriptionCreated');
  });

  test.each([
    ['another channel', remove({ eventName: 'issues' })],
    ['another workspace', remove({}, { workspace: 'o_other' })],
  ])('is not found by %s', (_name, command) => {
    expect(reasonOf(given(created(), subscribed()), command)).toEqual([
      'SubscriptionDeleteRefused',
      'subscription_not_found',
    ]);
  });

  test('to one source ends with it, one to every source does not', () => {
    const state = given(created(), subscribed(), subscribed({ subscriptionId: 'sub_2', emitterId: 'dc_*' }));
    expect(decideSourceDeleted(state, 'dc_1')).toEqual([{ type: 'EmitterGone', data: { emitterId: 'dc_1' } }]);
    evolveListeners(state, messageOf('EmitterGone', { emitterId: 'dc_1' }));
    expect(removeEnded(state, 9).map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1']);
    expect(decideSourceDeleted(state, 'dc_2')).toEqual([]);
  });

  test('with a source as listener needs that source, and ends with either of the two', () => {
    const listening = { listenerId: 'dc_2' };
    expect(when(given(), subscribe(listening))).toMatchObject([{ type: 'SubscriptionCreated', data: listening }]);
    expect(reasonOf(given(), subscribe({ listenerId: 'dc_9' }))).toEqual([
      'SubscriptionCreateRefused',
      'listener_not_found',
    ]);
    const own = { emitterId: 'dc_2', listenerId: 'dc_2', subscriptionId: 'sub_2' };
    const state = given(subscribed(listening), subscribed(own));
    expect(decideSourceDeleted(state, 'dc_2')).toEqual([
      { type: 'EmitterGone', data: { emitterId: 'dc_2' } },
      { type: 'ListenerGone', data: { listenerId: 'dc_2' } },
    ]);
    evolveListeners(state, messageOf('ListenerGone', { listenerId: 'dc_2' }));
    expect(reasonOf(state, remove(listening))).toEqual(['SubscriptionDeleteRefused', 'subscription_not_found']);
    expect(removeEnded(state, 9).map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1', 'sub_2']);
    expect([state.ended.size, state.subscriptions.size, [...state.byListener.keys()]]).toEqual([0, 0, []]);
  });

  test('with a source as listener is ended after a restart if that source is gone', () => {
    const state = given(
      subscribed({ listenerId: 'dc_2' }),
      subscribed({ listenerId: 'dc_9', subscriptionId: 'sub_9' }),
    );
    findEnded(state, (sourceId) => sourceId !== 'dc_9');
    expect([...state.ended]).toEqual(['dc_9']);
  });
});

describe('for any commands', () => {
  const ids = { webhookId: fc.constantFrom('wh_1', 'wh_2'), emitterId: fc.constantFrom('dc_1', 'dc_2', 'dc_*') };
  const parts = fc.record({ ...ids, eventName: fc.constantFrom(null, 'a'), sub: fc.nat(3), kind: fc.nat(4) });
  const commands = fc.array(
    parts.map(({ webhookId, emitterId, eventName, sub, kind }): ListenerCommand => {
      const three = { emitterId, listenerId: webhookId, eventName };
      const all: ListenerCommand[] = [
        create({ webhookId }),
        messageOf('DeleteWebhook', { webhookId }),
        messageOf('DisableWebhook', { webhookId, reason: 'gone' } as const),
        messageOf('CreateSubscription', { ...three, subscriptionId: `sub_${sub}`, fingerprint: null }),
        messageOf('DeleteSubscription', three),
      ];
      return all[kind] ?? create();
    }),
    { maxLength: 40 },
  );
  const history = (requested: readonly ListenerCommand[]): { state: Listeners; events: ListenerEvent[] } => {
    const state = noListeners();
    const events = requested.flatMap((command) => {
      const decided = when(state, command).map(({ type, data }) => messageOf(type, data) as ListenerEvent);
      foldEvents(state, evolveListeners, decided);
      return decided;
    });
    return { state, events };
  };

  test('every command has an outcome, and replaying the outcomes gives the same state', () => {
    fc.assert(
      fc.property(commands, (requested) => {
        const { state, events } = history(requested);
        expect(events.length).toBeGreaterThanOrEqual(requested.length);
        expect(given(...events)).toEqual(state);
      }),
    );
  });

  test('no subscription outlives its webhook, and no two have the same parts', () => {
    fc.assert(
      fc.property(commands, (requested) => {
        const { state } = history(requested);
        const active = [...state.subscriptions].filter(([, { triple: three }]) => !state.ended.has(three.listenerId));
        for (const [, { triple: three }] of active) expect(state.webhooks.has(three.listenerId)).toBe(true);
        expect(new Set(active.map(([, { triple: three }]) => JSON.stringify(three))).size).toBe(active.length);
        findEnded(state, () => true);
        removeEnded(state, 100);
        expect([...state.byTriple.values()].sort()).toEqual(active.map(([id]) => id).sort());
      }),
    );
  });
});
