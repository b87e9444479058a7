// A filter changes while events are published: a replay sends what was sent; the new filter applies after the answer.
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { pause, until as poll } from '../../support/until.ts';

const fixture = withFixture();
/** For a start of every app on a busy machine, and a replay to each subscription. */
const deadlineMs = 60_000;
/** A change in every partition can take seconds there. */
const storyMs = 240_000;
const until: typeof poll = (what, condition) => poll(what, condition, deadlineMs);
const subscriptions = 4;
/** As many as the product remembers, minus the first one. */
const changes = 3;
const publishers = 2;
const batch = 10;
/** Pause between batches, so that changes get their turn. */
const restMs = 10;

/** All even and all odd numbers in turn, so that a change in the wrong place would miss events or send too many. */
const filterOf = (version: number) => ({ odd: [version % 2 === 1] });
const pathOf = (index: number): string => `/changed-${index}`;

let client: Client;
beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
});

async function createSubscription(emitter_id: string, index: number): Promise<string> {
  const url = fixture.receiver.url(pathOf(index));
  const { id: listener_id } = await client.createWebhook({ url, ordered: false });
  return (await client.createSubscription({ emitter_id, listener_id, filter: filterOf(0) })).id;
}

/** The numbers that arrived live or by a replay, in order, each once. */
function sentTo(index: number, by: 'live' | 'replay'): readonly number[] {
  const received = fixture.receiver
    .requestsTo(pathOf(index))
    .filter(({ headers }) => 'webhook-replay' in headers === (by === 'replay'));
  const numbers = new Set(received.map(({ body }) => (JSON.parse(body) as { readonly n: number }).n));
  return [...numbers].toSorted((a, b) => a - b);
}

test(
  'a replay sends what was sent while the filter changed, and from the answer on only what the new one wants',
  async () => {
    const { id: sourceId } = await client.deploySource({ kind: 'channel', name: 'Changes' });
    // One subscription to every source, which has a cursor in each partition.
    const ids = await Promise.all(
      Array.from({ length: subscriptions }, (_, i) => createSubscription(i === 0 ? 'dc_*' : sourceId, i)),
    );
    let published = 0;
    let isOver = false;
    const next = () => ({ event: { n: ++published, odd: published % 2 === 1 } });
    const publish = async (): Promise<void> => {
      for (; !isOver; await pause(restMs)) await client.publish(sourceId, Array.from({ length: batch }, next));
    };
    const publishing = Promise.all(Array.from({ length: publishers }, publish));
    /** By subscription, the first number published after each answer. */
    const answered = ids.map((): number[] => []);
    try {
      for (let version = 1; version <= changes; version++)
        for (const [i, id] of ids.entries()) {
          await client.updateSubscription(id, { filter: filterOf(version) });
          answered[i]?.push(published + 1);
        }
    } finally {
      isOver = true;
      await publishing;
    }
    for (const [index, id] of ids.entries()) {
      await until('all events', async () => {
        const { counters } = await client.subscription(id);
        return counters.published === published && counters.pending === 0;
      });
      const by = index === 0 ? { emitter_id: sourceId } : {};
      const { id: replayId } = await client.replay(id, { ...by, from: 'earliest' });
      await until('the replay', async () => (await client.replayOf(id, replayId)).state === 'done');
      const live = sentTo(index, 'live');
      expect(sentTo(index, 'replay')).toEqual(live);
      const [first = 0, second = 0, third = 0] = answered[index] ?? [];
      expect(live.filter((n) => n >= third && n % 2 === 0)).toEqual([]);
      expect(first <= second && second <= third && live.length > 0).toBe(true);
    }
  },
  storyMs,
);
