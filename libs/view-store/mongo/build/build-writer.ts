// Writes documents of one build: put if newer, in unordered bulks, so that no document waits for another.
import { Long, type AnyBulkWriteOperation, type Collection, type Db } from 'mongodb';
import { indexedValue, viewOf, type ViewPlan } from '../../catalog.ts';
import type { ViewWrite } from '../../view-store.ts';
import { duplicateIds } from '../errors.ts';
import { collectionOf, type StoredView } from '../names.ts';

/** One bulk: enough to share its round trip, and well below the 48 MB of one message. */
const documentsPerBulk = 500;
const charactersPerBulk = 4 * 1024 * 1024;

type Bulk = readonly AnyBulkWriteOperation<StoredView>[];
type BulkTarget = Pick<Collection<StoredView>, 'bulkWrite'>;

export class BuildWriter {
  readonly #database: Db;
  readonly #build: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;

  constructor(database: Db, build: string, plans: ReadonlyMap<string, ViewPlan>) {
    this.#database = database;
    this.#build = build;
    this.#plans = plans;
  }

  /** Views side by side. After a failure nothing goes on in the background. */
  async put(writes: readonly ViewWrite[]): Promise<void> {
    const byView = Map.groupBy(newest(writes, this.#plans), ({ view }) => view);
    const puts = [...byView].map(([view, own]) => this.#putView(view, own));
    const failed = (await Promise.allSettled(puts)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #putView(view: string, writes: readonly ViewWrite[]): Promise<void> {
    const plan = viewOf(this.#plans, view);
    const collection = this.#database.collection<StoredView>(collectionOf(this.#build, view));
    for (let from = 0; from < writes.length;) {
      const bulk: AnyBulkWriteOperation<StoredView>[] = [];
      for (let characters = 0; bulk.length < documentsPerBulk && characters < charactersPerBulk; from++) {
        const write = writes[from];
        if (write === undefined) break;
        const stored = store(plan, write);
        bulk.push(putOperation(stored));
        characters += stored.text?.length ?? 0;
      }
      await putIfNewer(collection, bulk);
    }
  }
}

/** The highest version of each document, the first of equal ones. Throws a plain Error for what no index would find. */
function newest(writes: readonly ViewWrite[], plans: ReadonlyMap<string, ViewPlan>): ViewWrite[] {
  const best = new Map<string, ViewWrite>();
  for (const write of writes) {
    const plan = viewOf(plans, write.view);
    const { value } = write;
    if (value !== undefined) for (const field of plan.fields) indexedValue(plan, field, value);
    const key = `${write.view} ${write.id}`;
    const before = best.get(key);
    if (before === undefined || before.version < write.version) best.set(key, write);
  }
  return [...best.values()];
}

function store(plan: ViewPlan, { id, version, value }: ViewWrite): StoredView {
  const stored = { _id: id, version: Long.fromNumber(version) };
  if (value === undefined) return stored;
  const fields = Object.fromEntries(plan.fields.map((field) => [field, indexedValue(plan, field, value)]));
  return { ...stored, text: JSON.stringify(value), fields };
}

function putOperation({ _id, ...replacement }: StoredView): AnyBulkWriteOperation<StoredView> {
  return { replaceOne: { filter: { _id, version: { $lt: replacement.version } }, replacement, upsert: true } };
}

/**
 * A document that is not older makes the upsert insert a second one, which its id refuses. But two first writes of one
 * document can both find nothing, and then the newer one may be refused. Sent again it finds the other and replaces it;
 * refused again it is older, since no document is ever deleted.
 */
export async function putIfNewer(collection: BulkTarget, bulk: Bulk): Promise<void> {
  const refused = await send(collection, bulk);
  if (refused.length > 0) await send(collection, refused);
}

/** The operations that met a document under their id. */
async function send(collection: BulkTarget, bulk: Bulk): Promise<Bulk> {
  try {
    await collection.bulkWrite([...bulk], { ordered: false });
    return [];
  } catch (error) {
    return duplicateIds(error).flatMap((index) => bulk[index] ?? []);
  }
}
