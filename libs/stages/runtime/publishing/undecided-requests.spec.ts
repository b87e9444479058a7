// Publish requests for a source that was not read yet wait, in order, until it is known whether the source exists.
import { auditSourceOf } from '../../../domain/service-channels/witness.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { PublishRequest } from '../../../domain/publish/messages.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { OutputBatch } from '../output/output-batch.ts';
import { PublishRequests } from './publish-requests.ts';
import type { PublishRequestsOptions } from './publish-requests.ts';
import { SourceRecentIds } from './source-recent-ids.ts';

const known = new Set<string>();
let caughtUpBelow: number;
let catchUps: number;
let outcomes: string[];
let requests: PublishRequests;

/** A batch that accepts everything and notes it. */
const batch = {
  publish: ({ id }: PublishRequest) => outcomes.push(`published ${id}`) > 0,
  refusePublish: ({ id }: PublishRequest) => outcomes.push(`refused ${id}`),
} as unknown as OutputBatch;

beforeEach(() => {
  known.clear();
  caughtUpBelow = 0;
  catchUps = 0;
  outcomes = [];
  requests = new PublishRequests({
    backlog: { addPublish: () => {}, publishDone: () => {} },
    states: { has: () => false, of: () => ({}) },
    recents: new SourceRecentIds({
      log: { read: () => Promise.reject(new Error('read')) },
      partition: 0,
      bytesMax: 1e9,
    }),
    sources: {
      get: (id: string) => (known.has(id) ? {} : undefined),
      isCaughtUp: (offset: number) => offset < caughtUpBelow,
      catchUp: () => catchUps++,
    },
    fullness: { note: () => {} },
  } as unknown as PublishRequestsOptions);
});

function add(sourceId: string, offset: number, { count = 1, event = '' } = {}): void {
  const events = Array.from({ length: count }, () => ({ event, channel: '' }));
  const data = { sourceId, events, replyTo: 'gw_1' };
  const record = recordOf('EventsPublishRequested', data, { id: `req_${offset}`, key: sourceId });
  requests.add({ ...record, offset } as unknown as StoredRecord<PublishRequest>);
}

test('publishes waiting requests in order once their source has been read, and they delay no other source', () => {
  known.add('dc_b');
  add('dc_a', 1);
  add('dc_b', 2);
  add('dc_a', 3);
  requests.takeInto(batch, 1);
  expect([outcomes, catchUps, requests.isReady, requests.has('dc_a')]).toEqual([['published req_2'], 1, false, true]);
  known.add('dc_a');
  // It is not released yet, so the next one must not overtake those before it.
  add('dc_a', 4);
  requests.takeInto(batch, 1);
  requests.retryUndecided();
  requests.takeInto(batch, 1);
  expect(outcomes.slice(1)).toEqual(['published req_1', 'published req_3', 'published req_4']);
  expect(requests.has('dc_a')).toBe(false);
});

test('refuses a request once everything before it has been read and its source does not exist', () => {
  add('dc_a', 1);
  requests.takeInto(batch, 1);
  caughtUpBelow = 2;
  requests.retryUndecided();
  add('dc_a', 5);
  requests.takeInto(batch, 1);
  expect([outcomes, requests.has('dc_a')]).toEqual([['refused req_1'], true]);
});

test('refuses a request that might not fit into an append, and publishes the next one', () => {
  known.add('dc_a');
  add('dc_a', 1, { count: 1_001 });
  add('dc_a', 2, { event: 'x'.repeat(sizes.recordBytes) });
  add('dc_a', 3, { count: 1_000 });
  requests.takeInto(batch, 1);
  expect(outcomes).toEqual(['refused req_1', 'refused req_2', 'published req_3']);
});

test("publishes under the workspace's own `emitterId` without a source, and refuses that of another workspace", () => {
  add(auditSourceOf('o_1'), 1);
  add(auditSourceOf('o_2'), 2);
  caughtUpBelow = 3;
  requests.takeInto(batch, 1);
  expect(outcomes).toEqual(['published req_1', 'refused req_2']);
});
