import fc from 'fast-check';
import type { Trigger } from '../../../domain/source/messages.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { QueueDepths } from '../measuring/queue-depths.ts';
import { Backlog } from './backlog.ts';
import { queuedTriggerOf } from '../source/queued-trigger.ts';
import { UnfinishedOffsets } from './unfinished-offsets.ts';

test('the mark is the oldest unfinished trigger, in whatever order triggers end', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1 }), fc.infiniteStream(fc.nat()), (offsets, choices) => {
      const open = offsets.toSorted((a, b) => a - b);
      const unfinished = new UnfinishedOffsets(0);
      for (const offset of open) unfinished.add(offset);
      unfinished.markRead(2_000);
      while (open.length > 0) {
        expect(unfinished.mark()).toBe(open[0]);
        const [ended] = open.splice(choices.next().value % open.length, 1);
        if (ended !== undefined) unfinished.markDone(ended);
      }
      expect(unfinished.mark()).toBe(2_000);
    }),
  );
});

test('keeps little state for triggers that end after an unfinished one, and the mark is right in the end', () => {
  const count = 300_000;
  const unfinished = new UnfinishedOffsets(0);
  unfinished.add(0);
  let heldMost = 0;
  for (let offset = 1; offset < count; offset++) {
    unfinished.add(offset);
    // Every tenth stays unfinished until the end.
    if (offset % 10 !== 0) unfinished.markDone(offset);
    if (offset % 1_000 === 0) expect(unfinished.mark()).toBe(0);
    heldMost = Math.max(heldMost, unfinished.trackedCount - 2 * (offset / 10));
  }
  expect(heldMost).toBeLessThanOrEqual(2_100);
  unfinished.markRead(count);
  unfinished.markDone(0);
  expect(unfinished.mark()).toBe(10);
  for (let offset = count - 10; offset > 0; offset -= 10) unfinished.markDone(offset);
  expect(unfinished.mark()).toBe(count);
});

const limits = {
  retainedBytesMax: 1e6,
  bufferedMax: 100,
  bufferedOfLaneMax: 4,
  queuedMax: 1_000,
  requestsMax: 10,
  publishBytesMax: 1_000,
};

test('a partition keeps reading while two million triggers end after one that hangs', () => {
  const paused: string[] = [];
  const valve = { pause: () => void paused.push('paused'), resume: () => {} };
  const backlog = new Backlog(0, { limits, depths: new QueueDepths() }, valve);
  const data = { sourceId: 'dc_1', kind: 'http', revision: 1 };
  const record = { ...recordOf('TriggerRequested', data), topic: 'triggers', partition: 0, offset: 0 };
  const one = queuedTriggerOf(record as StoredRecord<Trigger>);
  backlog.add(one);
  for (let offset = 1; offset <= 2_000_000; offset++) {
    const trigger = { ...one, offset };
    backlog.add(trigger);
    backlog.markRead(offset + 1);
    backlog.release(trigger);
    backlog.markDone(trigger);
  }
  expect([paused, backlog.mark()]).toEqual([[], 0]);
  backlog.markDone(one);
  expect(backlog.mark()).toBe(2_000_001);
});

test('counts waiting triggers per lane until they leave the queue or the partition is given up', () => {
  const depths = new QueueDepths();
  const [one, other] = [0, 1].map(() => new Backlog(0, { limits, depths }, { pause: () => {}, resume: () => {} }));
  const trigger = (kind: string) =>
    queuedTriggerOf({
      ...recordOf('TriggerRequested', { sourceId: 'dc_1', kind, revision: 1 }),
      topic: 'triggers',
      partition: 0,
      offset: 0,
    } as StoredRecord<Trigger>);
  const counts = () => (['runs', 'hooks', 'calls'] as const).map((lane) => depths.depthOf(lane));
  for (const kind of ['http', 'timer', 'deploy']) one?.add(trigger(kind));
  other?.add(trigger('sample'));
  expect(counts()).toEqual([2, 1, 1]);
  one?.release(trigger('timer'));
  expect(counts()).toEqual([1, 1, 1]);
  one?.stop();
  one?.release(trigger('http'));
  expect(counts()).toEqual([0, 0, 1]);
});

test('reading pauses when too many deletes wait, and resumes once they are done', () => {
  const calls: string[] = [];
  const backlog = new Backlog(
    0,
    { limits, depths: new QueueDepths() },
    { pause: () => calls.push('pause'), resume: () => calls.push('resume') },
  );
  for (let offset = 0; offset <= 10; offset++) backlog.addRequest(offset);
  expect(calls).toEqual(['pause']);
  for (let offset = 0; offset <= 10; offset++) backlog.requestDone(offset);
  expect(calls).toEqual(['pause', 'resume']);
});
