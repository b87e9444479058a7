// Makes the views anew in a process that does nothing else, once nobody else projects any part of the log.
import { inTime } from '../../primitives/time-limit.ts';
import type { Projection, Rebuilt } from './projection.ts';

/** A projection that was killed keeps its partitions until its group misses it. */
const takeOverMaxMs = 15_000;
const pollMs = 50;

/** Rejects with RebuildRefused when others keep a part. */
export async function rebuildAlone(projection: Projection): Promise<Rebuilt> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  await projection.start(failed.reject);
  try {
    const deadline = performance.now() + takeOverMaxMs;
    while (!projection.isAlone && performance.now() < deadline) await inTime(failed.promise, pollMs);
    return await Promise.race([projection.rebuild(), failed.promise]);
  } finally {
    await projection.stop();
  }
}
