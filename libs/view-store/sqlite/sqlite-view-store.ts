// The view store in one SQLite file: WAL, synced at its checkpoints only, written by a separate thread.
import type Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import type { Positions } from '../../log/log.ts';
import { planViews, type ViewPlan } from '../catalog.ts';
import { LiveBuild } from '../live-build.ts';
import { ViewStore, type HeldRecords, type ViewBuild, type ViewDefinition } from '../view-store.ts';
import { BuildReader } from './build-reader.ts';
import { onSqlite } from './sqlite-errors.ts';
import { connect, lockAndPrepareFile } from './file.ts';
import { addHeldColumn, createBuild, listBuilds, buildSignatureOf, markLive, type BuildRow } from './tables/schema.ts';
import { SqliteViewBuild } from './sqlite-view-build.ts';
import { BuildDropper } from './writing/build-dropper.ts';
import { moreToDrop } from './writing/writer-jobs.ts';
import { ViewWriter } from './writing/view-writer.ts';

/** In WAL mode readers do not wait; if they ever had to, they must not block this thread. */
const busyTimeoutMs = 1_000;

export interface SqliteViewStoreOptions {
  readonly file: string;
  readonly definitions: readonly ViewDefinition[];
  /**
   * Called when the views restart empty, since they were damaged, or made with other definitions or in an earlier form.
   */
  readonly onFresh?: (message: string) => void;
}

interface FoundBuilds {
  readonly live: BuildRow;
  readonly others: readonly BuildRow[];
  readonly fresh: boolean;
}

/** Returns the live build with these definitions, created if there is none. The other builds are leftovers. */
function findLive(
  database: Database.Database,
  plans: Iterable<ViewPlan>,
  definitions: readonly ViewDefinition[],
): FoundBuilds {
  const existing = listBuilds(database);
  const live = existing.find((build) => build.live);
  if (live !== undefined && live.definitions === buildSignatureOf(definitions)) {
    return { live, others: existing.filter((build) => build !== live), fresh: false };
  }
  const name = database.transaction(() => {
    const created = createBuild(database, plans, definitions);
    markLive(database, created);
    return created;
  })();
  const created = { name, live: true, definitions: buildSignatureOf(definitions), checkpoint: '{}', held: '{}' };
  return { live: created, others: existing, fresh: live !== undefined };
}

/**
 * Why `synchronous=NORMAL` is enough: a power loss can undo the last transactions, but only from the end, and the
 * checkpoint is written after the documents, to the same file. So the projection repeats what was lost from the log.
 */
export class SqliteViewStore extends ViewStore {
  readonly #file: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #lock: Database.Database;
  readonly #readConnection: Database.Database;
  readonly #writer: ViewWriter;
  readonly #dropper = new BuildDropper(
    async (build) => (await this.#writer.submit({ kind: 'drop', build })) === moreToDrop,
  );
  readonly #reader = new LiveBuild(() => this.#live);
  #live: SqliteViewBuild;
  #begun: SqliteViewBuild | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: SqliteViewStoreOptions, lock: Database.Database, connection: Database.Database) {
    super();
    this.#file = options.file;
    this.#lock = lock;
    this.#readConnection = connection;
    this.#plans = planViews(options.definitions);
    addHeldColumn(connection);
    const found = findLive(connection, this.#plans.values(), options.definitions);
    connection.pragma('query_only = ON');
    if (found.fresh)
      options.onFresh?.(`The views in ${options.file} are built again: their definitions or their form have changed.`);
    this.#writer = new ViewWriter({ file: options.file, definitions: options.definitions });
    const { name, checkpoint, held } = found.live;
    this.#live = this.#build(name, JSON.parse(checkpoint) as Positions, JSON.parse(held) as HeldRecords);
    for (const other of found.others) this.#dropper.add(other.name);
  }

  /** Throws PortError `in_use`, `corrupt` or `mismatch` (of the file's layout), naming the file and what to do. */
  static async open(options: SqliteViewStoreOptions): Promise<SqliteViewStore> {
    const lock = lockAndPrepareFile(options.file, (message) => options.onFresh?.(message));
    let connection: Database.Database | undefined;
    try {
      return onSqlite(options.file, () => {
        connection = connect(options.file, busyTimeoutMs);
        return new SqliteViewStore(options, lock, connection);
      });
    } catch (error) {
      connection?.close();
      lock.close();
      throw error;
    }
  }

  live(): ViewBuild {
    return this.#reader;
  }

  async begin(): Promise<ViewBuild> {
    this.#checkOpen();
    if (this.#begun !== undefined) {
      this.#begun.end(`Build ${this.#begun.name} was dropped for a newer one`);
      this.#dropper.add(this.#begun.name);
      this.#begun = undefined;
    }
    this.#dropper.hurry();
    this.#begun = this.#build(await this.#writer.submit({ kind: 'begin' }));
    return this.#begun;
  }

  async switchTo(build: ViewBuild): Promise<void> {
    this.#checkOpen();
    const next = this.#begun;
    if (next === undefined || next !== build) throw new Error(`Build ${build.name} is not the one begun`);
    await this.#writer.submit({ kind: 'switch', build: next.name });
    const old = this.#live;
    this.#live = next;
    this.#begun = undefined;
    old.end(`Build ${old.name} was replaced by ${next.name}`);
    this.#dropper.add(old.name);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const build of [this.#live, this.#begun]) build?.end(`The views file ${this.#file} is closed`);
    this.#dropper.stop();
    await this.#writer.close();
    this.#readConnection.close();
    this.#lock.close();
  }

  #build(name: string, checkpoint: Positions = {}, held: HeldRecords = {}): SqliteViewBuild {
    const reader = new BuildReader(this.#readConnection, name, this.#plans);
    return new SqliteViewBuild({
      name,
      file: this.#file,
      plans: this.#plans,
      reader,
      writer: this.#writer,
      checkpoint,
      held,
    });
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new PortError('closed', `The views file ${this.#file} is closed`);
  }
}
