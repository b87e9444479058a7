import fc from 'fast-check';
import type { Trigger } from '../../../domain/source/messages.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import { Depths } from '../measuring/depths.ts';
import { Backlog } from './backlog.ts';
import { queued } from '../source/queued-trigger.ts';
import { Unfinished } from './unfinished.ts';

test('the mark is the oldest unfinished trigger, in whatever order triggers end', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1 }), fc.infiniteStream(fc.nat()), (offsets, choices) => {
      const open = offsets.toSorted((a, b) => a - b);
      const unfinished = new Unfinished(0);
      for (const offset of open) unfinished.add(offset);
      unfinished.readTo(2_000);
      while (open.length > 0) {
        expect(unfinished.mark()).toBe(open[0]);
        const [ended] = open.splice(choices.next().value % open.length, 1);
        if (ended !== undefined) unfinished.done(ended);
      }
      expect(unfinished.mark()).toBe(2_000);
    }),
  );
});

test('keeps little state for triggers that end after an unfinished one, and the mark is right in the end', () => {
  const count = 300_000;
  const unfinished = new Unfinished(0);
  unfinished.add(0);
  let heldMost = 0;
  for (let offset = 1; offset < count; offset++) {
    unfinished.add(offset);
    // Every tenth stays unfinished until the end.
    if (offset % 10 !== 0) unfinished.done(offset);
    if (offset % 1_000 === 0) expect(unfinished.mark()).toBe(0);
    heldMost = Math.max(heldMost, unfinished.held - 2 * (offset / 10));
  }
  expect(heldMost).toBeLessThanOrEqual(2_100);
  unfinished.readTo(count);
  unfinished.done(0);
  expect(unfinished.mark()).toBe(10);
  for (let offset = count - 10; offset > 0; offset -= 10) unfinished.done(offset);
  expect(unfinished.mark()).toBe(count);
});

const limits = {
  retainedBytesMax: 1e6,
  keptMax: 100,
  keptOfLaneMax: 4,
  queuedMax: 1_000,
  requestsMax: 10,
  publishBytesMax: 1_000,
};

test('a partition keeps reading while two million triggers end after one that hangs', () => {
  const paused: string[] = [];
  const valve = { pause: () => void paused.push('paused'), resume: () => {} };
  const backlog = new Backlog(0, { limits, depths: new Depths() }, valve);
  const data = { sourceId: 'dc_1', kind: 'http', revision: 1 };
  const record = { ...recordOf('TriggerRequested', data), topic: 'triggers', partition: 0, offset: 0 };
  const one = queued(record as StoredRecord<Trigger>);
  backlog.add(one);
  for (let offset = 1; offset <= 2_000_000; offset++) {
    const trigger = { ...one, offset };
    backlog.add(trigger);
    backlog.readUpTo(offset + 1);
    backlog.left(trigger);
    backlog.done(trigger);
  }
  expect([paused, backlog.mark()]).toEqual([[], 0]);
  backlog.done(one);
  expect(backlog.mark()).toBe(2_000_001);
});

test('counts waiting triggers per lane until they leave the queue or the partition is given up', () => {
  const depths = new Depths();
  const [one, other] = [0, 1].map(() => new Backlog(0, { limits, depths }, { pause: () => {}, resume: () => {} }));
  const trigger = (kind: string) =>
    queued({
      ...recordOf('TriggerRequested', { sourceId: 'dc_1', kind, revision: 1 }),
      topic: 'triggers',
      partition: 0,
      offset: 0,
    } as StoredRecord<Trigger>);
  const counts = () => (['runs', 'hooks', 'calls'] as const).map((lane) => depths.of(lane));
  for (const kind of ['http', 'timer', 'deploy']) one?.add(trigger(kind));
  other?.add(trigger('sample'));
  expect(counts()).toEqual([2, 1, 1]);
  one?.left(trigger('timer'));
  expect(counts()).toEqual([1, 1, 1]);
  one?.stop();
  one?.left(trigger('http'));
  expect(counts()).toEqual([0, 0, 1]);
});

test('reading pauses when too many deletes wait, and resumes once they are done', () => {
  const told: string[] = [];
  const backlog = new Backlog(
    0,
    { limits, depths: new Depths() },
    { pause: () => told.push('pause'), resume: () => told.push('resume') },
  );
  for (let offset = 0; offset <= 10; offset++) backlog.addRequest(offset);
  expect(told).toEqual(['pause']);
  for (let offset = 0; offset <= 10; offset++) backlog.requestDone(offset);
  expect(told).toEqual(['pause', 'resume']);
});
