// Rebuilds the views in a process that does nothing else, when no other process projects any part of the log.
import { resolvesInTime } from '../../primitives/time-limit.ts';
import type { Projection, Rebuilt } from './projection.ts';

/** A killed projection keeps its partitions until its group notices. */
const takeOverMaxMs = 15_000;
const pollMs = 50;

/** Rejects with RebuildRefused when others still own a part. */
export async function rebuildAsSoleOwner(projection: Projection): Promise<Rebuilt> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  await projection.start(failed.reject);
  try {
    const deadline = performance.now() + takeOverMaxMs;
    while (!projection.ownsWholeLog && performance.now() < deadline) await resolvesInTime(failed.promise, pollMs);
    return await Promise.race([projection.rebuild(), failed.promise]);
  } finally {
    await projection.stop();
  }
}
