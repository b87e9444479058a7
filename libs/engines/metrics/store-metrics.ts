// Reports the sizes of the log and the views, if this process has them.
import { stat } from 'node:fs/promises';
import type { Metrics } from '../../primitives/metrics/metrics.ts';
import { families } from '../../stages/loop/measuring/families.ts';

export interface StoreSize {
  readonly store: 'log' | 'views';
  readonly part: 'file' | 'wal' | 'used' | 'documents' | 'indexes';
  readonly bytes: number;
}

export function measureStores(metrics: Metrics, sizes: () => Promise<readonly StoreSize[]>): void {
  metrics.addReader(async (put) => {
    for (const { store, part, bytes } of await sizes()) put(families.storeBytes, { store, part }, bytes);
  });
}

/** Returns the sizes of a SQLite file and of its WAL. */
export async function fileSizes(store: StoreSize['store'], file: string): Promise<readonly StoreSize[]> {
  return [
    { store, part: 'file', bytes: await bytesOf(file) },
    { store, part: 'wal', bytes: await bytesOf(`${file}-wal`) },
  ];
}

/** Returns the size of a file; 0 if it does not exist. */
const bytesOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
