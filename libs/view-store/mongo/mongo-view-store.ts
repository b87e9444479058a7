// The view store in a MongoDB database, for any number of processes at once: no locks, one pointer to the live build.
import type { Db, MongoClient } from 'mongodb';
import { PortError } from '../../domain/port-error.ts';
import { planViews, type ViewPlan } from '../catalog.ts';
import { ViewStore, type ViewBuild, type ViewDefinition } from '../view-store.ts';
import { BuildReader } from './build/build-reader.ts';
import { BuildWriter } from './build/build-writer.ts';
import { Checkpoint } from './build/checkpoint.ts';
import { connect } from './connection.ts';
import { onMongo } from './mongo-errors.ts';
import { prepareBuild } from './build/indexes.ts';
import { RangeRemover } from './build/range-remover.ts';
import { MongoViewBuild, type BuildData, type Use } from './build/mongo-view-build.ts';
import { checkpointsName, viewsKey, pointersName, type StoredCheckpoint } from './collection-names.ts';
import { Pointer, type StoredPointer } from './pointer.ts';
import { retiredKeptMs, sweep } from './sweep.ts';

export interface MongoViewStoreOptions {
  /** `mongodb://` or `mongodb+srv://`, with user, TLS and replica set where needed. */
  readonly url: string;
  readonly definitions: readonly ViewDefinition[];
  /** The database of the views, whatever the URL names. */
  readonly database: string;
  /** Identifies the log from which the views are made: each log has its own views. Absent: it is the only one. */
  readonly log?: string;
  /** Called when only views with other definitions or of another log exist, so that these start empty. */
  readonly onFresh?: (message: string) => void;
}

export class MongoViewStore extends ViewStore {
  readonly #client: MongoClient;
  readonly #database: Db;
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #pointer: Pointer;
  /** By build: data of the live one, and of one that was begun. */
  readonly #data = new Map<string, BuildData>();
  readonly #reader: MongoViewBuild;
  /** The build whose checkpoint was last resumed: writes are for this build only. */
  #resumed: string;
  #begun: MongoViewBuild | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor(client: MongoClient, database: Db, plans: ReadonlyMap<string, ViewPlan>, pointer: Pointer) {
    super();
    this.#client = client;
    this.#database = database;
    this.#plans = plans;
    this.#pointer = pointer;
    this.#resumed = pointer.live;
    this.#reader = new MongoViewBuild({
      name: () => pointer.live,
      use: (to, work) => this.#onMongo(async () => work(this.#dataOf(await this.#liveFor(to)))),
    });
  }

  /** Throws PortError: `unavailable`, or `mismatch` for a URL that cannot be used. */
  static async open(options: MongoViewStoreOptions): Promise<MongoViewStore> {
    const plans = planViews(options.definitions);
    const { client, database: name } = await connect(options.url, options.database);
    try {
      return await onMongo(name, () => MongoViewStore.#open(client, client.db(name), { ...options, plans }));
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  static async #open(
    client: MongoClient,
    database: Db,
    options: MongoViewStoreOptions & { readonly plans: ReadonlyMap<string, ViewPlan> },
  ): Promise<MongoViewStore> {
    const { plans, definitions, log, onFresh } = options;
    const pointers = database.collection<StoredPointer>(pointersName);
    const key = viewsKey(definitions, log);
    const isNew = (await pointers.countDocuments({ _id: key })) === 0;
    const hasOthers = (await pointers.countDocuments({ _id: { $ne: key } })) > 0;
    const prepare = (build: string) => prepareBuild(database, build, plans);
    const pointer = await Pointer.open({ pointers, key, prepare });
    if (isNew && hasOthers) {
      const reason = 'those that are there have other definitions, or were made from another log';
      onFresh?.(`The views in MongoDB (${database.databaseName}) are built: ${reason}.`);
    }
    const store = new MongoViewStore(client, database, plans, pointer);
    await store.#sweep();
    return store;
  }

  live(): ViewBuild {
    return this.#reader;
  }

  async begin(): Promise<ViewBuild> {
    const name = await this.#onMongo(() => this.#pointer.begin());
    this.#begun = new MongoViewBuild({
      name: () => name,
      use: (_, work) =>
        this.#onMongo(async () => {
          await this.#pointer.checkUsable(name);
          return work(this.#dataOf(name));
        }),
    });
    await this.#sweep();
    return this.#begun;
  }

  /** The old build is deleted a little later, when readers in other processes have followed the switch. */
  async switchTo(build: ViewBuild): Promise<void> {
    const isBegun = build === this.#begun && (await this.#onMongo(() => this.#pointer.switchTo(build.name)));
    if (!isBegun) throw new Error(`Build ${build.name} is not the one begun`);
    this.#begun = undefined;
    this.#resumed = build.name;
    clearTimeout(this.#sweepTimer);
    this.#sweepTimer = setTimeout(() => void this.#sweep(), retiredKeptMs * 2).unref();
  }

  /** Bytes on the server's disk; undefined if the server does not report them. */
  async sizes(): Promise<{ readonly documents: number; readonly indexes: number } | undefined> {
    const stats = await this.#onMongo(() => this.#database.command({ dbStats: 1 })).catch(() => undefined);
    const [documents, indexes] = [stats?.['storageSize'] as unknown, stats?.['indexSize'] as unknown];
    return typeof documents === 'number' && typeof indexes === 'number' ? { documents, indexes } : undefined;
  }

  close(): Promise<void> {
    clearTimeout(this.#sweepTimer);
    this.#closing ??= this.#client.close();
    return this.#closing;
  }

  /**
   * After another process has switched builds, a writer must continue from the new build's checkpoint, not from its
   * position in the old build; otherwise records would be missing. So writes fail until the checkpoint has been read. A
   * writer that resumes might have found its build emptied, which others have replaced, or will.
   */
  async #liveFor(to: Use): Promise<string> {
    if (to === 'resume') return (this.#resumed = await this.#pointer.reread());
    const live = await this.#pointer.follow();
    if (to !== 'write' || this.#resumed === live) return live;
    const what = `Another process has made build ${live} the live one`;
    throw new PortError('unavailable', `${what}: continue from its checkpoint`);
  }

  #dataOf(name: string): BuildData {
    const known = this.#data.get(name);
    if (known !== undefined) return known;
    const checkpoints = this.#database.collection<StoredCheckpoint>(checkpointsName);
    const data = {
      name,
      reader: new BuildReader(this.#database, name, this.#plans),
      writer: new BuildWriter(this.#database, name, this.#plans),
      remover: new RangeRemover(this.#database, name, this.#plans),
      checkpoint: new Checkpoint(checkpoints, name),
    };
    for (const other of this.#data.keys()) {
      if (other !== this.#pointer.live && other !== this.#begun?.name) this.#data.delete(other);
    }
    this.#data.set(name, data);
    return data;
  }

  /** Drops leftovers. If this fails, they take space until the next start, but are never read. */
  async #sweep(): Promise<void> {
    const pointers = this.#database.collection<StoredPointer>(pointersName);
    await sweep({ database: this.#database, pointers, now: Date.now() }).catch(() => undefined);
  }

  async #onMongo<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#checkOpen();
    try {
      return await onMongo(this.#database.databaseName, step);
    } catch (error) {
      this.#checkOpen();
      throw error;
    }
  }

  #checkOpen(): void {
    if (this.#closing === undefined) return;
    throw new PortError('closed', `The views in MongoDB (${this.#database.databaseName}) are closed`);
  }
}
