import { defaultLimits } from '../../sandbox-limits.ts';
import { Call } from './call.ts';
import { IsolateCalls } from './isolate-calls.ts';

const call = (id: number): Call => new Call({ id, what: 'run', secrets: [], concurrent: true }, defaultLimits);

function busy(untilNs: bigint): void {
  while (process.cpuUsage().user * 1_000 + process.cpuUsage().system * 1_000 < Number(untilNs));
}

test('the processor time of a turn is charged to the run that it served, loading to no run', () => {
  let cpuNs = 7_000_000n;
  const calls = new IsolateCalls(() => cpuNs);
  const [one, two] = [call(1), call(2)];
  for (const each of [one, two]) {
    calls.add(each);
    calls.begin(each);
  }
  const { user, system } = process.cpuUsage();
  busy(BigInt(user + system) * 1_000n + 60_000_000n);
  cpuNs += 10_000_000n;
  calls.charge(1);
  cpuNs += 30_000_000n;
  calls.charge(2);
  cpuNs += 5_000_000n;
  expect(calls.usedMs(one, 2)).toBe(10);
  expect(calls.usedMs(two, 2)).toBe(35);
  expect(calls.usedMs(two, undefined)).toBe(30);
});

test('work for a run that has ended is charged to the oldest remaining run', () => {
  let cpuNs = 0n;
  const calls = new IsolateCalls(() => cpuNs);
  const [one, two] = [call(1), call(2)];
  for (const each of [one, two]) {
    calls.add(each);
    calls.begin(each);
  }
  calls.remove(one);
  const { user, system } = process.cpuUsage();
  busy(BigInt(user + system) * 1_000n + 20_000_000n);
  cpuNs += 8_000_000n;
  calls.charge(1);
  expect(calls.usedMs(two, undefined)).toBe(8);
  expect([calls.chargedCall(1), calls.chargedCall(2)]).toEqual([two, two]);
});

test('settled calls are taken once, in the order in which they settled', () => {
  const calls = new IsolateCalls(() => 0n);
  const [one, two] = [call(1), call(2)];
  for (const each of [one, two]) calls.add(each);
  calls.settle(two, null);
  calls.settle(one, '{}');
  calls.settle(two, '{}');
  expect(calls.takeSettled().map(({ id, done }) => [id, done])).toEqual([
    [2, null],
    [1, '{}'],
  ]);
  expect(calls.takeSettled()).toEqual([]);
});
