// Stores which build is live: one document for each set of definitions, which every process rereads within a bounded
// time.
import { ObjectId, type Collection } from 'mongodb';
import { PortError } from '../../domain/port-error.ts';
import { isDuplicateId } from './mongo-errors.ts';

export interface StoredPointer {
  /** The key of the definitions and the log. */
  readonly _id: string;
  readonly live: string;
  /** The build that is being filled, to become the live one. */
  readonly begun?: string;
  readonly begunUsedAt?: Date;
  /** Builds that are no longer live, but can still be read by processes that have not followed the switch yet. */
  readonly retired: readonly { readonly build: string; readonly at: Date }[];
  readonly usedAt: Date;
}

/** How late a process can follow a switch: as late as a revocation can take effect. */
const rereadAfterMs = 1_000;
/** How often a pointer in use is marked as used: rarely, since leftovers are recognised only after a day. */
const touchAfterMs = 60 * 60 * 1_000;

export interface PointerParts {
  readonly pointers: Collection<StoredPointer>;
  readonly key: string;
  /** Creates a build's collections and indexes. The pointer names the build before that, so that it is not swept. */
  readonly prepare: (build: string) => Promise<void>;
}

export class Pointer {
  readonly #parts: PointerParts;
  #lastRead: StoredPointer;
  #readAt = performance.now();
  #reading: Promise<void> | undefined;
  /** The build that this process has begun. */
  #ownBuild: string | undefined;

  private constructor(parts: PointerParts, known: StoredPointer) {
    this.#parts = parts;
    this.#lastRead = known;
  }

  /** Ensures that the live build has its indexes: the process that named it might have ended before creating them. */
  static async open(parts: PointerParts): Promise<Pointer> {
    const known = await readOrCreate(parts);
    await parts.prepare(known.live);
    const pointer = new Pointer(parts, known);
    await pointer.#touch();
    return pointer;
  }

  /** The live build, as last read. */
  get live(): string {
    return this.#lastRead.live;
  }

  /** Returns the live build, as of at most a second ago. */
  async follow(): Promise<string> {
    if (performance.now() - this.#readAt >= rereadAfterMs) await this.#read();
    return this.#lastRead.live;
  }

  /** Rereads the pointer, and resolves with the live build. */
  async reread(): Promise<string> {
    await this.#read();
    return this.#lastRead.live;
  }

  /** Throws PortError `closed` if the build is neither live nor being built here, as of at most a second ago. */
  async checkUsable(build: string): Promise<void> {
    await this.follow();
    const { live, begun } = this.#lastRead;
    if (build === live || (build === begun && build === this.#ownBuild)) return;
    throw new PortError('closed', `Build ${build} was dropped, or replaced: build ${live} is live`);
  }

  /** Begins a new build. A build begun earlier, by any process, is abandoned. */
  async begin(): Promise<string> {
    await this.follow();
    const build = newBuildName();
    const known = await this.#update({}, { $set: { begun: build, begunUsedAt: new Date() } });
    if (known === null) throw new PortError('unavailable', 'The pointer to the live views is missing: try again');
    this.#ownBuild = build;
    this.#remember(known);
    await this.#parts.prepare(build);
    return build;
  }

  /**
   * Resolves with false if the build is not the one that was begun, and again with true if repeated after an unknown
   * outcome.
   */
  async switchTo(build: string): Promise<boolean> {
    await this.#read();
    const { live } = this.#lastRead;
    if (live === build) return true;
    const known = await this.#update(
      { live, begun: build },
      {
        $set: { live: build },
        $unset: { begun: '', begunUsedAt: '' },
        $push: { retired: { build: live, at: new Date() } },
      },
    );
    if (known === null) return false;
    this.#remember(known);
    return true;
  }

  #update(
    condition: { readonly live?: string; readonly begun?: string },
    change: Parameters<Collection<StoredPointer>['findOneAndUpdate']>[1],
  ): Promise<StoredPointer | null> {
    const { pointers, key } = this.#parts;
    return pointers.findOneAndUpdate({ _id: key, ...condition }, change, { returnDocument: 'after' });
  }

  /** Reads the pointer; concurrent callers share one read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const known = await readOrCreate(this.#parts);
    if (known.live !== this.#lastRead.live) await this.#parts.prepare(known.live);
    this.#remember(known);
    await this.#touch();
  }

  async #touch(): Promise<void> {
    const { usedAt, begun } = this.#lastRead;
    const now = new Date();
    if (now.getTime() - usedAt.getTime() > touchAfterMs) await this.#update({}, { $set: { usedAt: now } });
    if (begun === undefined || begun !== this.#ownBuild) return;
    await this.#update({ begun }, { $set: { begunUsedAt: now } });
  }

  #remember(known: StoredPointer): void {
    this.#lastRead = known;
    this.#readAt = performance.now();
  }
}

const newBuildName = (): string => new ObjectId().toHexString();

/** Names an empty live build if there is none; if several processes try at once, one succeeds. */
async function readOrCreate({ pointers, key }: PointerParts): Promise<StoredPointer> {
  const found = await pointers.findOne({ _id: key });
  if (found !== null) return found;
  const created: StoredPointer = { _id: key, live: newBuildName(), retired: [], usedAt: new Date() };
  try {
    await pointers.insertOne(created);
    return created;
  } catch (error) {
    if (!isDuplicateId(error)) throw error;
  }
  const other = await pointers.findOne({ _id: key });
  if (other === null) throw new PortError('unavailable', 'The pointer to the live views comes and goes: try again');
  return other;
}
