import type { StoredRecord } from '../../domain/message.ts';
import type { Log } from '../../log/log.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import type { Input } from '../../stages/loop/measuring/loop-figures.ts';
import { measureLoops } from './loop-metrics.ts';

/** Each partition of each topic has as many records as its number says. */
const log: Pick<Log, 'end' | 'read'> = {
  end: async (_topic, partition) => partition,
  read: async (topic, partition, from) => {
    const offsets = Array.from({ length: partition - from }, (_, n) => from + n);
    return { topic, partition, records: offsets.map((offset) => ({ offset, at: 0 }) as StoredRecord), next: partition };
  },
};

async function lagLines(inputs: readonly Input[]): Promise<readonly string[]> {
  const metrics = new Metrics();
  const loop = { name: 'lifecycle', healthy: true, trouble: undefined, idleMs: 0, inputs };
  measureLoops(metrics, { loops: [loop], log, now: () => 0 });
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('wellspring_stage_lag_records{'));
}

test('an owner that reads many partitions of a topic shows the lag of each', async () => {
  const inputs = [0, 1, 2].map((partition) => ({ topic: 'hooks', partition, offset: 0, owned: 0 }) as const);
  expect((await lagLines(inputs)).toSorted()).toEqual([
    'wellspring_stage_lag_records{stage="lifecycle",partition="0",topic="hooks"} 0',
    'wellspring_stage_lag_records{stage="lifecycle",partition="1",topic="hooks"} 1',
    'wellspring_stage_lag_records{stage="lifecycle",partition="2",topic="hooks"} 2',
  ]);
});

test('a partition that several owners read shows the lag of the last of them, once', async () => {
  const inputs = [9, 4, 7].map((offset, owned) => ({ topic: 'sources', partition: 9, offset, owned }) as const);
  expect(await lagLines(inputs)).toEqual([
    'wellspring_stage_lag_records{stage="lifecycle",partition="9",topic="sources"} 5',
  ]);
});
