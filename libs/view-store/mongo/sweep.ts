// Drops builds that no pointer names, because they were replaced, abandoned or left by other releases, with
// checkpoints.
import type { Collection, Db } from 'mongodb';
import { buildOf, checkpointsName, type StoredCheckpoint } from './collection-names.ts';
import type { StoredPointer } from './pointer.ts';

/** Readers follow a switch within a second, and their calls end within ten. */
export const retiredKeptMs = 15_000;
/** A rebuild reports every second that it is alive; one that could not report for this long starts again. */
const begunKeptMs = 10 * 60 * 1_000;
/** How long the unused views of another release are kept: the time of a rolling upgrade and its rollback. */
const unusedKeptMs = 24 * 60 * 60 * 1_000;

const olderThan = (now: number, keptMs: number) => ({ $lt: new Date(now - keptMs) });

export interface SweepParts {
  readonly database: Db;
  readonly pointers: Collection<StoredPointer>;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Lists first, then reads the pointers. They name a build before it is created, so an unnamed one is a leftover. */
export async function sweep({ database, pointers, now }: SweepParts): Promise<void> {
  const checkpoints = database.collection<StoredCheckpoint>(checkpointsName);
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  const saved = await checkpoints.find({}, { projection: { _id: 1 } }).toArray();
  await removeExpired(pointers, now);
  const named = await namedBuilds(pointers);
  for (const { name } of collections) {
    const build = buildOf(name);
    if (build !== undefined && !named.has(build)) await database.dropCollection(name);
  }
  const leftovers = saved.map(({ _id }) => _id).filter((build) => !named.has(build));
  if (leftovers.length > 0) await checkpoints.deleteMany({ _id: { $in: leftovers } });
}

async function removeExpired(pointers: Collection<StoredPointer>, now: number): Promise<void> {
  await pointers.deleteMany({ usedAt: olderThan(now, unusedKeptMs) });
  await pointers.updateMany({ begunUsedAt: olderThan(now, begunKeptMs) }, { $unset: { begun: '', begunUsedAt: '' } });
  await pointers.updateMany({}, { $pull: { retired: { at: olderThan(now, retiredKeptMs) } } });
}

async function namedBuilds(pointers: Collection<StoredPointer>): Promise<ReadonlySet<string>> {
  const found = await pointers.find().toArray();
  return new Set(
    found.flatMap(({ live, begun, retired }) => [
      live,
      ...(begun === undefined ? [] : [begun]),
      ...retired.map(({ build }) => build),
    ]),
  );
}
