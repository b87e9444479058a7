// Publish requests for a source that was not read yet wait, in order, until it is known whether the source exists.
import { auditSourceOf } from '../../../domain/service-channels/witness.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { OutputBatch } from '../output/output-batch.ts';
import { Publishes } from './publishes.ts';
import type { PublishesOptions } from './publishes.ts';
import { Recents } from './recents.ts';

const known = new Set<string>();
let settledBelow: number;
let settles: number;
let told: string[];
let publishes: Publishes;

/** A batch that accepts everything and notes it. */
const batch = {
  publish: ({ id }: PublishRequest) => told.push(`published ${id}`) > 0,
  refusePublish: ({ id }: PublishRequest) => told.push(`refused ${id}`),
} as unknown as OutputBatch;

beforeEach(() => {
  known.clear();
  settledBelow = 0;
  settles = 0;
  told = [];
  publishes = new Publishes({
    backlog: { addPublish: () => {}, publishDone: () => {} },
    states: { has: () => false, of: () => ({}) },
    recents: new Recents({ log: { read: () => Promise.reject(new Error('read')) }, partition: 0, bytesMax: 1e9 }),
    sources: {
      get: (id: string) => (known.has(id) ? {} : undefined),
      isSettled: (offset: number) => offset < settledBelow,
      settle: () => settles++,
    },
    fullness: { note: () => {} },
  } as unknown as PublishesOptions);
});

function add(sourceId: string, offset: number, { count = 1, event = '' } = {}): void {
  const events = Array.from({ length: count }, () => ({ event, channel: '' }));
  const data = { sourceId, events, replyTo: 'gw_1' };
  const record = recordOf('EventsPublishRequested', data, { id: `req_${offset}`, key: sourceId });
  publishes.add({ ...record, offset } as unknown as StoredRecord<PublishRequest>);
}

test('publishes waiting requests in order once their source has been read, and they delay no other source', () => {
  known.add('dc_b');
  add('dc_a', 1);
  add('dc_b', 2);
  add('dc_a', 3);
  publishes.takeInto(batch, 1);
  expect([told, settles, publishes.isReady, publishes.has('dc_a')]).toEqual([['published req_2'], 1, false, true]);
  known.add('dc_a');
  // It is not released yet, so the next one must not overtake those before it.
  add('dc_a', 4);
  publishes.takeInto(batch, 1);
  publishes.release();
  publishes.takeInto(batch, 1);
  expect(told.slice(1)).toEqual(['published req_1', 'published req_3', 'published req_4']);
  expect(publishes.has('dc_a')).toBe(false);
});

test('refuses a request once everything before it has been read and its source does not exist', () => {
  add('dc_a', 1);
  publishes.takeInto(batch, 1);
  settledBelow = 2;
  publishes.release();
  add('dc_a', 5);
  publishes.takeInto(batch, 1);
  expect([told, publishes.has('dc_a')]).toEqual([['refused req_1'], true]);
});

test('refuses a request that might not fit into an append, and publishes the next one', () => {
  known.add('dc_a');
  add('dc_a', 1, { count: 1_001 });
  add('dc_a', 2, { event: 'x'.repeat(sizes.recordBytes) });
  add('dc_a', 3, { count: 1_000 });
  publishes.takeInto(batch, 1);
  expect(told).toEqual(['refused req_1', 'refused req_2', 'published req_3']);
});

test("publishes under the workspace's own `emitterId` without a source, and refuses that of another workspace", () => {
  add(auditSourceOf('o_1'), 1);
  add(auditSourceOf('o_2'), 2);
  settledBelow = 3;
  publishes.takeInto(batch, 1);
  expect(told).toEqual(['published req_1', 'refused req_2']);
});
