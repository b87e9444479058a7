// Requests for a new signing key, and the keys that sign after them.
import { foldEvents, messageOf } from '../../decider.fake.ts';
import type { Envelope } from '../../decider.fake.ts';
import type { WebhookDefinition } from '../definition/messages.ts';
import { decideListener } from '../decide.ts';
import { evolveListeners, noListeners, restoreWebhook, webhookDefinition } from '../listeners.ts';
import type { Listeners } from '../listeners.ts';
import type { ListenerCommand, ListenerEvent } from '../messages.ts';

const webhookId = 'wh_1';
const dayMs = 24 * 60 * 60 * 1_000;
const sealed = (name: string) => ({ $sealed: name });
const created = messageOf('WebhookCreated', {
  webhookId,
  userId: 'u_1',
  fingerprint: 'f',
  requestKey: 'made',
  url: 'https://example.com/in',
  name: null,
  description: null,
  ordered: true,
  retrySchedule: null,
  signingKey: sealed('first'),
});

interface Asked {
  readonly key: string;
  readonly publicKey?: string;
  readonly overlapMs?: number;
  readonly requestKey?: string;
  readonly fingerprint?: string;
}
const dataOf = ({ key, overlapMs = dayMs, requestKey, fingerprint = 'f', publicKey }: Asked) => ({
  webhookId,
  signingKey: sealed(key),
  overlapMs,
  ...(publicKey === undefined ? {} : { publicKey }),
  ...(requestKey === undefined ? { fingerprint: null } : { fingerprint, requestKey }),
});
const regenerated = (asked: Asked, envelope: Envelope = {}): ListenerEvent =>
  messageOf('WebhookKeyRegenerated', dataOf(asked), envelope);
const regenerate = (asked: Asked, envelope: Envelope = {}): ListenerCommand =>
  messageOf('RegenerateWebhookKey', dataOf(asked), envelope);

const given = (...events: ListenerEvent[]): Listeners =>
  foldEvents(noListeners(), evolveListeners, [created, ...events]);
const when = (state: Listeners, command: ListenerCommand) =>
  decideListener(state, command, { at: command.at, sourceExists: () => true, isOwner: () => true, channelEnds: [] })[0];
const reasonOf = (state: Listeners, command: ListenerCommand): unknown =>
  (when(state, command)?.data as { readonly reason?: string } | undefined)?.reason;
const defined = (state: Listeners) => webhookDefinition(state, webhookId)?.data;
const formerOf = (state: Listeners) =>
  defined(state)?.formerKeys?.map(({ key, validUntil }) => [key.$sealed, validUntil]);

test('the new key signs, and the former ones until the overlap ends or theirs does', () => {
  const state = given(
    regenerated({ key: 'second', overlapMs: 100 }, { at: 10 }),
    regenerated({ key: 'third', overlapMs: 1_000 }, { at: 20 }),
  );
  expect(defined(state)?.signingKey).toEqual(sealed('third'));
  expect(formerOf(state)).toEqual([
    ['second', 1_020],
    ['first', 110],
  ]);
});

test('a shorter overlap ends earlier keys too, and ended keys are removed', () => {
  const state = given(
    regenerated({ key: 'second' }),
    regenerated({ key: 'third' }),
    regenerated({ key: 'fourth', overlapMs: 5 }, { at: 10 }),
  );
  expect(formerOf(state)).toEqual([
    ['third', 15],
    ['second', 15],
    ['first', 15],
  ]);
  evolveListeners(state, regenerated({ key: 'fifth', overlapMs: 0 }, { at: 2 * dayMs }));
  expect(formerOf(state)).toEqual([]);
});

test('an ended key is kept while the request that made it may be repeated', () => {
  const state = given(regenerated({ key: 'second', overlapMs: 0 }, { at: 10 }));
  expect(formerOf(state)).toEqual([['first', 10]]);
});

test('beyond ten keys the oldest are removed', () => {
  const state = given(...Array.from({ length: 12 }, (_, n) => regenerated({ key: `k${n}` })));
  expect(formerOf(state)?.map(([name]) => name)).toEqual(['k10', 'k9', 'k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2']);
});

test('a repeated request is refused as a repeat, also after a restart; a different one is a conflict', () => {
  const state = given(regenerated({ key: 'second', requestKey: 'r' }), regenerated({ key: 'third', requestKey: 's' }));
  const restored = noListeners();
  restoreWebhook(restored, { ...created, ...(webhookDefinition(state, webhookId) as WebhookDefinition) });
  for (const listeners of [state, restored]) {
    for (const requestKey of ['r', 's']) {
      expect(reasonOf(listeners, regenerate({ key: 'x', requestKey }))).toBe('repeated');
      const other = regenerate({ key: 'x', requestKey, fingerprint: 'g' });
      expect(reasonOf(listeners, other)).toBe('idempotency_conflict');
      expect(when(listeners, regenerate({ key: 'x', requestKey }, { at: dayMs }))?.type).toBe('WebhookKeyRegenerated');
    }
  }
  expect(webhookDefinition(restored, webhookId)).toEqual(webhookDefinition(state, webhookId));
});

test('regenerating is refused for an unknown webhook, and for one that signs in another way by now', () => {
  expect(reasonOf(noListeners(), regenerate({ key: 'x' }))).toBe('webhook_not_found');
  expect(reasonOf(given(), regenerate({ key: 'x' }, { workspace: 'o_other' }))).toBe('webhook_not_found');
  expect(reasonOf(given(), regenerate({ key: 'x', publicKey: 'p' }))).toBe('webhook_changed');
});

test('a change of the way of signing sets the new key, an update with the same way does not', () => {
  const update = (publicKey?: string) =>
    messageOf('UpdateWebhook', {
      webhookId,
      newKey: { signingKey: sealed('new'), ...(publicKey === undefined ? {} : { publicKey }) },
    });
  expect(when(given(), update())?.data).not.toHaveProperty('newKey');
  const decided = when(given(), update('p'));
  expect(decided?.data).toHaveProperty('newKey.publicKey', 'p');
  const state = given(messageOf('WebhookUpdated', update('p').data, { at: 10 }));
  expect(defined(state)).toMatchObject({ signingKey: sealed('new'), publicKey: 'p' });
  expect(formerOf(state)).toEqual([['first', 10 + dayMs]]);
  expect(when(state, update('p'))?.data).not.toHaveProperty('newKey');
});
