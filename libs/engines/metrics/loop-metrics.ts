// Reports the loops of a process as metrics: whether they turn, how far behind they are, and which alerts are live.
import { alertCodes } from '../../domain/alert/messages.ts';
import { positionKey } from '../../log/log.ts';
import type { Log } from '../../log/log.ts';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import type { Watched } from '../../stages/loop/health.ts';
import { families } from '../../stages/loop/measuring/families.ts';
import type { Input } from '../../stages/loop/measuring/measured.ts';
import { lagOf } from './lag.ts';

/** The most inputs that are read at a time: the log has other readers. */
const atOnceMax = 8;

export interface MeasuredLoops {
  readonly loops: readonly Watched[];
  readonly log: Pick<Log, 'end' | 'read'>;
  readonly now: () => number;
}

export function measureLoops(metrics: Metrics, { loops, log, now }: MeasuredLoops): void {
  metrics.read((put) => {
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
      metrics.read(async (put) => {
        await eachOf(furthestBehind(loop.inputs ?? []), async (input) => {
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
function furthestBehind(inputs: readonly Input[]): readonly Input[] {
  const last = new Map<string, Input>();
  for (const input of inputs) {
    const key = positionKey(input.topic, input.partition);
    const known = last.get(key);
    if (known === undefined || input.offset < known.offset) last.set(key, input);
  }
  return [...last.values()];
}

/** Runs `work` once for each input, a few at a time. */
async function eachOf(inputs: readonly Input[], work: (input: Input) => Promise<void>): Promise<void> {
  const left = inputs.values();
  const worker = async (): Promise<void> => {
    for (const input of left) await work(input);
  };
  await Promise.all(Array.from({ length: atOnceMax }, worker));
}
