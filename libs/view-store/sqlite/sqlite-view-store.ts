// The view store in one SQLite file: WAL, synced at its checkpoints only, written by a separate thread.
import type Database from 'better-sqlite3';
import { PortError } from '../../domain/port-error.ts';
import type { Positions } from '../../log/log.ts';
import { planViews, type ViewPlan } from '../catalog.ts';
import { LiveBuild } from '../live-build.ts';
import { ViewStore, type ViewBuild, type ViewDefinition } from '../view-store.ts';
import { BuildReader } from './build-reader.ts';
import { onSqlite } from './sqlite-errors.ts';
import { connect, takeFile } from './file.ts';
import { createBuild, listBuilds, madeBy, markLive, type BuildRow } from './tables/schema.ts';
import { SqliteViewBuild } from './sqlite-view-build.ts';
import { Dropping } from './writing/dropping.ts';
import { more } from './writing/writer-jobs.ts';
import { ViewWriter } from './writing/writer.ts';

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

interface Found {
  readonly live: BuildRow;
  readonly others: readonly BuildRow[];
  readonly fresh: boolean;
}

/** Returns the live build with these definitions, created if there is none. The other builds are leftovers. */
function findLive(
  database: Database.Database,
  plans: Iterable<ViewPlan>,
  definitions: readonly ViewDefinition[],
): Found {
  const before = listBuilds(database);
  const live = before.find((build) => build.live);
  if (live !== undefined && live.definitions === madeBy(definitions)) {
    return { live, others: before.filter((build) => build !== live), fresh: false };
  }
  const name = database.transaction(() => {
    const created = createBuild(database, plans, definitions);
    markLive(database, created);
    return created;
  })();
  const created = { name, live: true, definitions: madeBy(definitions), checkpoint: '{}' };
  return { live: created, others: before, fresh: live !== undefined };
}

/**
 * Why `synchronous=NORMAL` is enough: a power loss can undo the last transactions, but only from the end, and the
 * checkpoint is written after the documents, to the same file. So the projection repeats what was lost from the log.
 */
export class SqliteViewStore extends ViewStore {
  readonly #file: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #lock: Database.Database;
  readonly #reading: Database.Database;
  readonly #writer: ViewWriter;
  readonly #dropping = new Dropping(async (build) => (await this.#writer.ask({ kind: 'drop', build })) === more);
  readonly #reader = new LiveBuild(() => this.#live);
  #live: SqliteViewBuild;
  #begun: SqliteViewBuild | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: SqliteViewStoreOptions, lock: Database.Database, reading: Database.Database) {
    super();
    this.#file = options.file;
    this.#lock = lock;
    this.#reading = reading;
    this.#plans = planViews(options.definitions);
    const found = findLive(reading, this.#plans.values(), options.definitions);
    reading.pragma('query_only = ON');
    if (found.fresh)
      options.onFresh?.(`The views in ${options.file} are built again: their definitions or their form have changed.`);
    this.#writer = new ViewWriter({ file: options.file, definitions: options.definitions });
    this.#live = this.#build(found.live.name, JSON.parse(found.live.checkpoint) as Positions);
    for (const { name } of found.others) this.#dropping.add(name);
  }

  /** Throws PortError `in_use`, `corrupt` or `mismatch` (of the file's layout), naming the file and what to do. */
  static async open(options: SqliteViewStoreOptions): Promise<SqliteViewStore> {
    const lock = takeFile(options.file, (message) => options.onFresh?.(message));
    let reading: Database.Database | undefined;
    try {
      return onSqlite(options.file, () => {
        reading = connect(options.file, busyTimeoutMs);
        return new SqliteViewStore(options, lock, reading);
      });
    } catch (error) {
      reading?.close();
      lock.close();
      throw error;
    }
  }

  live(): ViewBuild {
    return this.#reader;
  }

  async begin(): Promise<ViewBuild> {
    this.#refuseClosed();
    if (this.#begun !== undefined) {
      this.#begun.end(`Build ${this.#begun.name} was dropped for a newer one`);
      this.#dropping.add(this.#begun.name);
      this.#begun = undefined;
    }
    this.#dropping.hurry();
    this.#begun = this.#build(await this.#writer.ask({ kind: 'begin' }), {});
    return this.#begun;
  }

  async switchTo(build: ViewBuild): Promise<void> {
    this.#refuseClosed();
    const next = this.#begun;
    if (next === undefined || next !== build) throw new Error(`Build ${build.name} is not the one begun`);
    await this.#writer.ask({ kind: 'switch', build: next.name });
    const old = this.#live;
    this.#live = next;
    this.#begun = undefined;
    old.end(`Build ${old.name} was replaced by ${next.name}`);
    this.#dropping.add(old.name);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const build of [this.#live, this.#begun]) build?.end(`The views file ${this.#file} is closed`);
    this.#dropping.stop();
    await this.#writer.close();
    this.#reading.close();
    this.#lock.close();
  }

  #build(name: string, checkpoint: Positions): SqliteViewBuild {
    const reader = new BuildReader(this.#reading, name, this.#plans);
    return new SqliteViewBuild({
      name,
      file: this.#file,
      plans: this.#plans,
      reader,
      writer: this.#writer,
      checkpoint,
    });
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw new PortError('closed', `The views file ${this.#file} is closed`);
  }
}
