// A publish request becomes events in the order of their times, each id once.
import { freshMemory } from '../run/run-output.ts';
import { recordOf } from '../record/samples.fake.ts';
import { checkRecord } from '../record/check-record.ts';
import { versionOf } from '../record/record-version.ts';
import type { PublishedEvent, PublishRequest } from './messages.ts';
import { publish, rememberedCount } from './publish.ts';
import type { PublishResult } from './publish.ts';
import { RecentIds } from './recent-ids.ts';

let requests = 0;
function requestOf(events: readonly Partial<PublishedEvent>[], requestKey?: string): PublishRequest {
  const whole = events.map((event) => ({ event: null, channel: '', ...event }));
  const data = {
    sourceId: 'dc_1',
    events: whole,
    replyTo: 'gw_1',
    ...(requestKey === undefined ? {} : { requestKey }),
  };
  return recordOf('EventsPublishRequested', data, { id: `req_${requests++}` }) as PublishRequest;
}

/** The results of several requests in a row that share one memory of ids. */
function published(...all: readonly PublishRequest[]): readonly PublishResult[] {
  const recent = new RecentIds();
  let clock = { nextSeq: freshMemory.nextSeq, lastEventMs: freshMemory.lastEventMs };
  return all.map((request, index) => {
    const result = publish(request, { clock, recent, now: 100 + index });
    clock = result.clock;
    return result;
  });
}

test('each item becomes an event, numbered in the order of ts, with ids answered in the order of the request', () => {
  const events = [
    { event: 1, ts: 300 },
    { event: { b: 2 }, channel: 'orders', summary: 's', id: 7 },
    { event: 3, ts: 50 },
  ];
  const [result] = published(requestOf(events));
  expect(result?.events.map(({ data }) => [data.eventId, data.channel, data.event, data.emit, data.runId])).toEqual([
    ['100-0', '', 3, { ts: 50 }, ''],
    ['100-1', 'orders', { b: 2 }, { id: 7, summary: 's' }, ''],
    ['100-2', '', 1, { ts: 300 }, ''],
  ]);
  expect(result).toMatchObject({ ids: ['100-2', '100-1', '100-0'], duplicates: [], clock: { nextSeq: 3 } });
  for (const event of result?.events ?? []) expect(checkRecord('channels', event)).toBeUndefined();
  expect(new Set(result?.events.map(({ id }) => id)).size).toBe(3);
});

test('an id is published once, within and across requests and channels; a number equals its text', () => {
  const [first, second] = published(
    requestOf([{ id: 'a' }, { id: 'a', event: 'again' }, { id: 1 }]),
    requestOf([{ id: '1', channel: 'x' }, { id: 'b' }, { id: 'a' }]),
  );
  expect([first?.ids, first?.duplicates]).toEqual([['100-0', '100-0', '100-1'], [1]]);
  expect([second?.ids, second?.duplicates]).toEqual([
    ['100-1', '101-2', '100-0'],
    [0, 2],
  ]);
  expect(second?.events).toHaveLength(1);
});

test('items without an id are always new, unless the request has a key and is repeated', () => {
  const [, again, keyed, repeated, other] = published(
    requestOf([{ event: 1 }]),
    requestOf([{ event: 1 }]),
    requestOf([{ event: 1 }, { event: 1 }], 'req_k'),
    requestOf([{ event: 1 }, { event: 1 }], 'req_k'),
    requestOf([{ event: 1 }, { event: 2 }], 'req_k'),
  );
  expect(again?.duplicates).toEqual([]);
  expect(keyed?.duplicates).toEqual([]);
  expect([repeated?.ids, repeated?.duplicates]).toEqual([keyed?.ids, [0, 1]]);
  expect(other?.duplicates).toEqual([0]);
  expect([requestOf([{ id: 1 }, {}]), requestOf([{ id: 1 }, {}], 'req_k')].map(rememberedCount)).toEqual([1, 2]);
});

test('records that older programs would misread have a version that they wait at', () => {
  const state = { sourceId: 'dc_1', db: null, dedupe: null, nextSeq: 1, lastEventMs: 1 };
  const below = { hooks: 0, runs: 0 };
  const versions = [
    { type: 'EventsPublishRequested', data: requestOf([]).data },
    { type: 'RecentIdsSaved', data: {} },
    { type: 'SourceStateSaved', data: { ...state, finishedBelow: { ...below, publishes: 1 } } },
    { type: 'SourceStateSaved', data: { ...state, finishedBelow: below } },
    { type: 'SourceDeploying', data: { kind: 'channel' } },
    { type: 'DeploySource', data: { kind: 'channel' } },
  ].map(versionOf);
  expect(versions).toEqual([5, 5, 5, 1, 5, 5]);
});
