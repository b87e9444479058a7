// Writes documents of one build, each only if newer, in unordered bulks, so that no document waits for another.
import {
  Long,
  type Abortable,
  type AnyBulkWriteOperation,
  type BulkWriteOptions,
  type Collection,
  type Db,
} from 'mongodb';
import { indexedValue, viewOf, type ViewPlan } from '../../catalog.ts';
import type { ViewWrite } from '../../view-store.ts';
import { duplicateIds } from '../mongo-errors.ts';
import { collectionOf, type StoredView } from '../collection-names.ts';

/** Documents per bulk: enough to share a round trip, and well below the 48 MB of one message. */
const documentsPerBulk = 500;
const charactersPerBulk = 4 * 1024 * 1024;
/** As long as the driver tries other calls, which is nearly twice its limit for a connection. */
const bulkMs = 8_000;

type Bulk = readonly AnyBulkWriteOperation<StoredView>[];
type BulkTarget = Pick<Collection<StoredView>, 'bulkWrite'>;

/** A document to store, and whether it is expected to be new. */
interface DocumentPut {
  readonly stored: StoredView;
  readonly isNew: boolean;
}

export class BuildWriter {
  readonly #database: Db;
  readonly #build: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;

  constructor(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
  }

  /** Writes views in parallel. After a failure no write continues in the background. */
  async put(writes: readonly ViewWrite[]): Promise<void> {
    const byView = Map.groupBy(newestWrites(writes, this.#plans), ({ view }) => view);
    const puts = [...byView].map(([view, own]) => this.#putView(view, own));
    const rejected = (await Promise.allSettled(puts)).find((result) => result.status === 'rejected');
    if (rejected !== undefined) throw rejected.reason;
  }

  async #putView(view: string, writes: readonly ViewWrite[]): Promise<void> {
    const plan = viewOf(this.#plans, view);
    const collection = this.#database.collection<StoredView>(collectionOf(this.#build, view));
    for (let from = 0; from < writes.length;) {
      const puts: DocumentPut[] = [];
      for (let characters = 0; puts.length < documentsPerBulk && characters < charactersPerBulk; from++) {
        const write = writes[from];
        if (write === undefined) break;
        const stored = storedViewOf(plan, write);
        puts.push({ stored, isNew: write.isNew === true });
        characters += stored.text?.length ?? 0;
      }
      await putAll(collection, puts);
    }
  }
}

/**
 * Keeps each document's highest version; of equal ones the first. Throws a plain Error for a document without index
 * values.
 */
function newestWrites(writes: readonly ViewWrite[], plans: ReadonlyMap<string, ViewPlan>): ViewWrite[] {
  const newestByKey = new Map<string, ViewWrite>();
  for (const write of writes) {
    const plan = viewOf(plans, write.view);
    const { value } = write;
    if (value !== undefined) for (const field of plan.fields) indexedValue(plan, field, value);
    const key = `${write.view} ${write.id}`;
    const previous = newestByKey.get(key);
    if (previous === undefined || previous.version < write.version) newestByKey.set(key, write);
  }
  return [...newestByKey.values()];
}

function storedViewOf(plan: ViewPlan, { id, version, value }: ViewWrite): StoredView {
  const stored = { _id: id, version: Long.fromNumber(version) };
  if (value === undefined) return stored;
  const fields = Object.fromEntries(plan.fields.map((field) => [field, indexedValue(plan, field, value)]));
  return { ...stored, text: JSON.stringify(value), fields };
}

function putOperation({ _id, ...replacement }: StoredView): AnyBulkWriteOperation<StoredView> {
  return { replaceOne: { filter: { _id, version: { $lt: replacement.version } }, replacement, upsert: true } };
}

/**
 * Inserts documents that seem new, which costs a fraction of an upsert; those that do exist are put if newer, like the
 * rest.
 */
export async function putAll(collection: BulkTarget, puts: readonly DocumentPut[]): Promise<void> {
  const fresh = puts.filter(({ isNew }) => isNew).map(({ stored }) => stored);
  const others = puts.filter(({ isNew }) => !isNew).map(({ stored }) => stored);
  const inserts = fresh.map((stored) => ({ insertOne: { document: stored } }));
  const existing = (await writeBulk(collection, inserts)).flatMap((index) => fresh[index] ?? []);
  await putIfNewer(collection, [...others, ...existing].map(putOperation));
}

/**
 * If the stored document is not older, the upsert tries to insert a second one, which the unique id rejects. But two
 * first writes of one document can both find nothing, and the newer one might be rejected. On a retry it finds and
 * replaces the other; if rejected again it is the older one, unless a removal that leaves nothing came in between: then
 * it is lost.
 */
async function putIfNewer(collection: BulkTarget, bulk: Bulk): Promise<void> {
  const refused = await writeBulk(collection, bulk);
  const retried = refused.flatMap((index) => bulk[index] ?? []);
  await writeBulk(collection, retried);
}

/**
 * A large bulk that the server stops reading would never end: the driver waits for room in a connection that its own
 * limit has closed. The signal, which its types do not declare for bulks, ends that wait.
 */
const bulkOptions = (): BulkWriteOptions & Abortable => ({ ordered: false, signal: AbortSignal.timeout(bulkMs) });

/** Writes a bulk, and returns the indexes of the operations whose id existed already. */
async function writeBulk(collection: BulkTarget, bulk: Bulk): Promise<readonly number[]> {
  if (bulk.length === 0) return [];
  try {
    await collection.bulkWrite([...bulk], bulkOptions());
    return [];
  } catch (error) {
    return duplicateIds(error);
  }
}
