import { defaultLimits } from '../delivery-limits.ts';
import { until } from '../../../../test/support/until.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import type { AttemptKind } from './reputation.ts';
import { processorMs } from '../../../primitives/processor-ms.fake.ts';

const started: string[] = [];
const item = (name: string) => ({ start: () => started.push(name) > 0 });

beforeEach(() => {
  started.length = 0;
});

const workspace = 'o_1';

/** A webhook's lane at an origin; `answering`: it has answered before. */
const laneOf = (lanes: Lanes, name: string, origin = 'one', answering = true): Lane => {
  const lane = lanes.laneOf({ workspace, webhookId: name, url: `https://${origin}.example/${name}` });
  if (answering) lanes.presumeAnswering(lane);
  return lane;
};

/** Waits until everything that starts in steps has started. */
const settled = async (): Promise<void> => {
  for (let before = -1; before !== started.length;) {
    before = started.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const fill = (lanes: Lanes, lane: Lane, kind: AttemptKind, count: number): void => {
  for (let i = 1; i <= count; i++) lanes.enqueue(lane, kind, item(`${lane.webhookId}${i}`));
};

test('a lane starts as many attempts as it may, and the next one when one ends', () => {
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 2 });
  const lane = laneOf(lanes, 'a');
  fill(lanes, lane, 'first', 4);
  expect(started).toEqual(['a1', 'a2']);
  lanes.attemptEnded(lane, 'first', 'answered');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('a burst starts in steps, and a lane with few attempts in flight does not wait for them', async () => {
  const lanes = new Lanes(defaultLimits);
  fill(lanes, laneOf(lanes, 'burst'), 'first', 40);
  expect(started).toHaveLength(16);
  fill(lanes, laneOf(lanes, 'quick', 'two'), 'first', 2);
  expect(started.slice(16)).toEqual(['quick1', 'quick2']);
  await settled();
  expect(started).toHaveLength(42);
});

test('replays wait for the next step, however few are in flight, and live events do not', async () => {
  const lanes = new Lanes(defaultLimits);
  fill(lanes, laneOf(lanes, 'burst'), 'replay', 16);
  fill(lanes, laneOf(lanes, 'more', 'two'), 'replay', 2);
  fill(lanes, laneOf(lanes, 'live', 'three'), 'first', 2);
  expect(started.slice(16)).toEqual(['live1', 'live2']);
  await settled();
  expect(started.slice(18)).toEqual(['more1', 'more2']);
});

test('lanes that found no free slot in the process continue in turn', () => {
  const lanes = new Lanes({ ...defaultLimits, firstInFlightMax: 2 });
  const [a, b] = [laneOf(lanes, 'a'), laneOf(lanes, 'b', 'two')];
  fill(lanes, a, 'first', 4);
  fill(lanes, b, 'first', 2);
  expect(started).toEqual(['a1', 'a2']);
  lanes.attemptEnded(a, 'first', 'answered');
  lanes.attemptEnded(a, 'first', 'answered');
  expect(started.slice(2).toSorted()).toEqual(['a3', 'b1']);
});

test("retries and first attempts do not take each other's slots", () => {
  const lanes = new Lanes({ ...defaultLimits, firstInFlightMax: 1, retryInFlightMax: 1 });
  fill(lanes, laneOf(lanes, 'a'), 'retry', 2);
  fill(lanes, laneOf(lanes, 'b'), 'first', 2);
  expect(started).toEqual(['a1', 'b1']);
});

test('a silent webhook has one attempt at a time, alternating first attempts and retries, until it answers', () => {
  const lanes = new Lanes({ ...defaultLimits, silencesMax: 2 });
  const lane = laneOf(lanes, 'a');
  fill(lanes, lane, 'first', 2);
  lanes.attemptEnded(lane, 'first', 'silent');
  lanes.attemptEnded(lane, 'first', 'silent');
  started.length = 0;
  for (const name of ['f1', 'f2', 'f3']) lanes.enqueue(lane, 'first', item(name));
  for (const name of ['r1', 'r2', 'r3']) lanes.enqueue(lane, 'retry', item(name));
  expect(started).toEqual(['f1']);
  lanes.attemptEnded(lane, 'first', 'silent');
  expect(started).toEqual(['f1', 'r1']);
  lanes.attemptEnded(lane, 'retry', 'silent');
  expect(started).toEqual(['f1', 'r1', 'f2']);
  lanes.attemptEnded(lane, 'first', 'answered');
  expect(started).toEqual(['f1', 'r1', 'f2', 'f3', 'r2', 'r3']);
});

test('a lane with nothing to start leaves its place to the next', () => {
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 1 });
  const lane = laneOf(lanes, 'a');
  lanes.enqueue(lane, 'first', { start: () => false });
  lanes.enqueue(lane, 'first', item('next'));
  expect(started).toEqual(['next']);
});

test('hundreds of webhooks that never answered leave connections for others at their origin, known or new', async () => {
  const lanes = new Lanes(defaultLimits);
  const hanging = Array.from({ length: 250 }, (_, i) => laneOf(lanes, `hangs${i}_`, 'one', false));
  for (const lane of hanging) fill(lanes, lane, 'first', 10);
  expect(started).toHaveLength(250);
  started.length = 0;
  fill(lanes, laneOf(lanes, 'known'), 'first', 10);
  fill(lanes, laneOf(lanes, 'new', 'one', false), 'first', 10);
  await settled();
  const known = Array.from({ length: 10 }, (_, i) => `known${i + 1}`);
  expect(started.toSorted()).toEqual([...known, 'new1'].toSorted());
});

test('silent webhooks share a few connections of their origin, in turn', () => {
  const lanes = new Lanes({ ...defaultLimits, originSilentMax: 2 });
  const silent = ['a', 'b', 'c'].map((name) => laneOf(lanes, name));
  for (const lane of silent) fill(lanes, lane, 'first', 2);
  for (const lane of silent) for (let i = 0; i < 2; i++) lanes.attemptEnded(lane, 'first', 'silent');
  started.length = 0;
  for (const lane of silent) fill(lanes, lane, 'retry', 2);
  expect(started).toEqual(['a1', 'b1']);
  for (const lane of silent) lanes.attemptEnded(lane, 'retry', 'silent');
  expect(started.slice(0, 3)).toEqual(['a1', 'b1', 'c1']);
});

test('a greedy webhook leaves connections of its origin to the others, which take turns', () => {
  const lanes = new Lanes({ ...defaultLimits, originAnsweringMax: 8 });
  const [greedy, b, c] = [laneOf(lanes, 'greedy'), laneOf(lanes, 'b'), laneOf(lanes, 'c')];
  fill(lanes, greedy, 'first', 20);
  expect(started).toHaveLength(6);
  started.length = 0;
  fill(lanes, b, 'first', 5);
  fill(lanes, c, 'first', 5);
  expect(started).toEqual(['b1', 'b2']);
  lanes.attemptEnded(b, 'first', 'answered');
  lanes.attemptEnded(b, 'first', 'answered');
  expect(started.slice(2).toSorted()).toEqual(['b3', 'c1']);
});

test('a webhook with an overdue answer gives its places to others, and is trusted again when it answers', async () => {
  const lanes = new Lanes({ ...defaultLimits, firstInFlightMax: 4, doubtMs: 20 });
  const [slow, quick] = [laneOf(lanes, 'slow'), laneOf(lanes, 'quick', 'two')];
  fill(lanes, slow, 'first', 4);
  fill(lanes, quick, 'first', 2);
  expect(started).toEqual(['slow1', 'slow2', 'slow3', 'slow4']);
  await until('it to be doubted', () => slow.slotStanding === 'doubtful');
  expect(started.slice(4)).toEqual(['quick1', 'quick2']);
  expect(slow.isSlow).toBe(true);
  lanes.attemptEnded(slow, 'first', 'answered');
  expect(slow.slotStanding).toBe('answering');
  lanes.close();
});

test('retries of an answering webhook never wait for those of thousands that do not answer', () => {
  const lanes = new Lanes(defaultLimits);
  for (let i = 0; i < 5_000; i++) {
    const lane = laneOf(lanes, `dead${i}`, `host${i}`, false);
    fill(lanes, lane, 'retry', 1);
    if (lane.inFlight.retry === 0) continue;
    lanes.attemptEnded(lane, 'retry', i % 2 === 0 ? 'silent' : 'failed');
    fill(lanes, lane, 'retry', 3);
  }
  started.length = 0;
  fill(lanes, laneOf(lanes, 'good', 'good'), 'retry', 3);
  expect(started).toEqual(['good1', 'good2', 'good3']);
});

describe('another workspace has its turn soon, however many webhooks of one workspace wait', () => {
  const many = Array.from({ length: 100 }, (_, i) => `many${i}`);
  const otherAt = (lanes: Lanes, origin: string): Lane => {
    const lane = lanes.laneOf({ workspace: 'o_2', webhookId: 'other', url: `https://${origin}.example/` });
    lanes.presumeAnswering(lane);
    return lane;
  };
  const turnsOfOther = (): number[] =>
    started.flatMap((name, index) => (name.startsWith('other') ? [index] : [])).slice(0, 3);

  test('for the starts towards slow receivers', async () => {
    const lanes = new Lanes(defaultLimits);
    const all = [...many.map((name) => laneOf(lanes, name, name)), otherAt(lanes, 'other')];
    for (const lane of all) {
      fill(lanes, lane, 'first', 1);
      lanes.attemptEnded(lane, 'first', 'answered', 5_000);
    }
    started.length = 0;
    for (const lane of all) fill(lanes, lane, 'first', 3);
    await until('three starts of the other', () => turnsOfOther().length === 3);
    expect(turnsOfOther()).toEqual([1, 3, 5]);
    lanes.close();
  });

  test.each([
    ['places of the process', { firstInFlightMax: 1 }, 'elsewhere'],
    ['connections of an origin', { originAnsweringMax: 1 }, 'one'],
  ])('for %s', (_, limits, origin) => {
    const lanes = new Lanes({ ...defaultLimits, ...limits });
    const all = [...many.map((name) => laneOf(lanes, name)), otherAt(lanes, origin)];
    for (const lane of all) fill(lanes, lane, 'first', 3);
    for (let n = 0; n < 6; n++) {
      const lane = all.find(({ inFlight }) => inFlight.first > 0);
      if (lane !== undefined) lanes.attemptEnded(lane, 'first', 'answered');
    }
    expect(started).toHaveLength(7);
    expect(turnsOfOther()).toHaveLength(3);
  });

  test('for the next step of a burst', async () => {
    const lanes = new Lanes(defaultLimits);
    const all = [...many.map((name) => laneOf(lanes, name, name)), otherAt(lanes, 'other')];
    for (const lane of all) fill(lanes, lane, 'first', 8);
    const before = started.length;
    for (const lane of all) fill(lanes, lane, 'first', 3);
    await settled();
    expect(started).toHaveLength(before + all.length * 3);
    expect(started.slice(before).findIndex((name) => name.startsWith('other'))).toBeLessThan(40);
    lanes.close();
  });
});

test('an abandoned lane ends with what is in flight, and frees its connections', () => {
  const lanes = new Lanes({ ...defaultLimits, originAnsweringMax: 1 });
  const lane = laneOf(lanes, 'a');
  fill(lanes, lane, 'first', 1);
  lanes.endLane(lane);
  fill(lanes, laneOf(lanes, 'b'), 'first', 1);
  expect(started).toEqual(['a1']);
  lanes.attemptEnded(lane, 'first', 'answered');
  expect(started).toEqual(['a1', 'b1']);
  expect(lanes.endLane(lane)).toBeUndefined();
});

describe('after a change of url', () => {
  const at = (url: string) => ({ workspace, webhookId: 'a', url: `https://${url}.example/` });

  test('waiting attempts move on in order, 20,000 at once, and the receiver counts as unknown', () => {
    const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 1, firstDoubtfulMax: 1 });
    const before = lanes.laneOf(at('one'));
    lanes.presumeAnswering(before);
    fill(lanes, before, 'first', 20_001);
    expect(processorMs(() => lanes.moveWaiting(at('one'), at('two')))).toBeLessThan(1_000);
    const now = lanes.laneOf(at('two'));
    expect([now.slotStanding, now.waiting.first.length, before.waiting.first.length]).toEqual(['doubtful', 19_999, 0]);
    expect(started).toEqual(['a1', 'a2']);
    lanes.attemptEnded(before, 'first', 'answered');
    lanes.attemptEnded(now, 'first', 'answered');
    expect([started[2], now.slotStanding]).toEqual(['a3', 'answering']);
  });

  test('attempts of another partition that still use the former url return there, and move on with its own change', () => {
    const lanes = new Lanes(defaultLimits);
    let url = at('one');
    const late = {
      start: (lane: Lane) => {
        if (lane === lanes.laneOf(url)) return started.push(lane.url) > 0;
        lanes.enqueue(lanes.laneOf(url), 'first', late);
        return false;
      },
    };
    const hanging = lanes.laneOf(url);
    hanging.waiting.first.push(late);
    lanes.moveWaiting(url, at('two'));
    expect([started, lanes.laneOf(url) === hanging]).toEqual([[url.url], false]);
    lanes.laneOf(url).waiting.first.push(late);
    url = at('two');
    lanes.moveWaiting(at('one'), url);
    expect(started).toEqual([at('one').url, at('two').url]);
  });
});

test('a webhook’s rate is one, however often its url changes and whichever partition knows of it', () => {
  const lanes = new Lanes(defaultLimits);
  const at = (n: number) => ({ workspace, webhookId: 'a', url: `https://${n}.example/`, rateLimit: 1 });
  fill(lanes, lanes.laneOf(at(0)), 'first', 10);
  const began = started.length;
  for (let n = 0; n < 10; n++) {
    lanes.moveWaiting(at(n), at(n + 1));
    lanes.setPolicy(at(n + 1));
    fill(lanes, lanes.laneOf(at(n)), 'first', 1);
  }
  expect(began).toBeGreaterThan(0);
  expect(started).toHaveLength(began);
  lanes.close();
});

test('a partition that has yet to learn of a changed rate does not bring the former one back', () => {
  const lanes = new Lanes(defaultLimits);
  const [before, now] = ['one', 'two'].map((name) => ({
    workspace,
    webhookId: 'a',
    url: `https://${name}.example/`,
  }));
  if (before === undefined || now === undefined) throw new Error('there are two');
  lanes.presumeAnswering(lanes.laneOf({ ...before, rateLimit: 1 }));
  lanes.moveWaiting(before, { ...now, rateLimit: 10_000 });
  lanes.setPolicy({ ...now, rateLimit: 10_000 });
  lanes.laneOf({ ...before, rateLimit: 1 });
  const lane = lanes.laneOf(now);
  lanes.presumeAnswering(lane);
  fill(lanes, lane, 'first', 8);
  expect(started).toHaveLength(8);
});

test('slow lanes start in turn and in steps, and a quick one does not wait for them', async () => {
  const lanes = new Lanes(defaultLimits);
  const slow = ['a', 'b'].map((name) => laneOf(lanes, name, name));
  for (const lane of slow) {
    fill(lanes, lane, 'first', 1);
    lanes.attemptEnded(lane, 'first', 'answered', 5_000);
  }
  started.length = 0;
  for (const lane of slow) fill(lanes, lane, 'first', 20);
  fill(lanes, laneOf(lanes, 'quick', 'two'), 'first', 2);
  expect(started).toEqual(['quick1', 'quick2']);
  await until('the slow ones', () => started.length === 42);
  expect(started.slice(2, 6)).toEqual(['a1', 'b1', 'a2', 'b2']);
}, 30_000);

test('replays leave a webhook most of its places, and an origin most of its connections', async () => {
  const lanes = new Lanes(defaultLimits);
  const [a, b] = [laneOf(lanes, 'a'), laneOf(lanes, 'b')];
  fill(lanes, a, 'replay', 40);
  fill(lanes, b, 'replay', 40);
  await settled();
  expect([a.inFlight.replay, b.inFlight.replay]).toEqual([16, 4]);
  fill(lanes, a, 'first', 40);
  await settled();
  expect(a.inFlight.first).toBeGreaterThanOrEqual(30);
});

test('a replay comes last for a single free place and takes it when nothing else waits', () => {
  const lanes = new Lanes({ ...defaultLimits, originAnsweringMax: 1 });
  const lane = laneOf(lanes, 'a');
  fill(lanes, lane, 'first', 1);
  for (const kind of ['replay', 'retry', 'first'] as const) lanes.enqueue(lane, kind, item(kind));
  for (const kind of ['first', 'retry', 'first'] as const) lanes.attemptEnded(lane, kind, 'answered');
  expect(started).toEqual(['a1', 'retry', 'first', 'replay']);
});

test('replays have their own limit in the process', async () => {
  const lanes = new Lanes({ ...defaultLimits, replayInFlightMax: 2, replaysPerWebhookMax: 8 });
  const [a, b] = [laneOf(lanes, 'a'), laneOf(lanes, 'b', 'two')];
  fill(lanes, a, 'replay', 4);
  fill(lanes, b, 'replay', 4);
  fill(lanes, b, 'first', 1);
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  lanes.attemptEnded(a, 'replay', 'answered');
  expect(started).toHaveLength(4);
});

test('replays waiting for their share of an origin start in turn, each when another attempt ends', async () => {
  const lanes = new Lanes({ ...defaultLimits, originAnsweringMax: 6 });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => laneOf(lanes, name)) as [Lane, Lane, Lane];
  for (const lane of [a, b, c]) fill(lanes, lane, 'replay', 2);
  fill(lanes, c, 'first', 1);
  await settled();
  expect(started).toEqual(['a1', 'a2', 'c1']);
  lanes.attemptEnded(c, 'first', 'answered');
  expect(started).toHaveLength(3);
  for (let i = 0; i < 2; i++) lanes.attemptEnded(a, 'replay', 'answered');
  await settled();
  expect(started.slice(3)).toEqual(['b1', 'c1']);
});

test('lanes of deleted webhooks are removed if nothing waits and nothing is in flight', () => {
  const lanes = new Lanes({ ...defaultLimits, firstPerWebhookMax: 1 });
  const [idle, busy, other] = ['idle', 'busy', 'other'].map((name) => laneOf(lanes, name)) as [Lane, Lane, Lane];
  fill(lanes, busy, 'first', 2);
  lanes.endIdleLanes((webhookId) => webhookId !== 'other');
  expect([idle.isEnding, busy.isEnding, other.isEnding]).toEqual([true, false, false]);
  lanes.attemptEnded(busy, 'first', 'answered');
  expect(started).toEqual(['busy1', 'busy2']);
});
