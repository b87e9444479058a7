// Reports the loops of a process as metrics: whether they turn, how far behind they are, and which alerts are live.
import { alertCodes } from '../../domain/alert/messages.ts';
import { positionKey } from '../../log/log.ts';
import type { Log } from '../../log/log.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { WatchedLoop } from '../../stages/loop/health.ts';
import { families } from '../../stages/loop/measuring/families.ts';
import type { Input } from '../../stages/loop/measuring/loop-figures.ts';
import { lagOf } from './lag.ts';

/** The most inputs that are read at a time: the log has other readers. */
const concurrencyMax = 8;

export interface MeasuredLoops {
  readonly loops: readonly WatchedLoop[];
  readonly log: Pick<Log, 'end' | 'read'>;
  readonly now: () => number;
}

export function measureLoops(metrics: Metrics, { loops, log, now }: MeasuredLoops): void {
  metrics.addReader((put) => {
    for (const { name: stage, healthy, idleMs, inputs, alerts } of loops) {
      put(families.healthy, { stage }, Number(healthy));
      put(families.loopAge, { stage }, idleMs / 1_000);
      if (inputs !== undefined) put(families.partitions, { stage }, new Set(inputs.map(({ owned }) => owned)).size);
      if (alerts === undefined) continue;
      for (const code of alertCodes) put(families.alerts, { code }, alerts.filter((one) => one.code === code).length);
    }
  });
  for (const loop of loops)
    if (loop.inputs !== undefined)
      metrics.addReader(async (put) => {
        await forEachConcurrently(slowestReaders(loop.inputs ?? []), async (input) => {
          const { records, seconds } = await lagOf(log, input, now());
          const labels = { stage: loop.name, partition: String(input.partition), topic: input.topic };
          put(families.lagRecords, labels, records);
          put(families.lagSeconds, labels, seconds);
        });
      });
}

/**
 * Returns each partition of a topic once, with the reader that is furthest behind: several owners read the control
 * plane's.
 */
function slowestReaders(inputs: readonly Input[]): readonly Input[] {
  const slowest = new Map<string, Input>();
  for (const input of inputs) {
    const key = positionKey(input.topic, input.partition);
    const known = slowest.get(key);
    if (known === undefined || input.offset < known.offset) slowest.set(key, input);
  }
  return [...slowest.values()];
}

/** Runs `work` once for each input, a few at a time. */
async function forEachConcurrently(inputs: readonly Input[], work: (input: Input) => Promise<void>): Promise<void> {
  const queue = inputs.values();
  const worker = async (): Promise<void> => {
    for (const input of queue) await work(input);
  };
  await Promise.all(Array.from({ length: concurrencyMax }, worker));
}
