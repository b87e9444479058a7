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
const readAgainAfterMs = 1_000;
/** How often a pointer in use is marked as used: rarely, since leftovers are recognised only after a day. */
const usedAgainAfterMs = 60 * 60 * 1_000;

export interface PointerParts {
  readonly pointers: Collection<StoredPointer>;
  readonly key: string;
  /** Creates a build's collections and indexes. The pointer names the build before that, so that it is not swept. */
  readonly prepare: (build: string) => Promise<void>;
}

export class Pointer {
  readonly #parts: PointerParts;
  #known: StoredPointer;
  #readAt = performance.now();
  #reading: Promise<void> | undefined;
  /** The build that this process has begun. */
  #own: string | undefined;

  private constructor(parts: PointerParts, known: StoredPointer) {
    this.#parts = parts;
    this.#known = known;
  }

  /** Ensures that the live build has its indexes: the process that named it might have ended before creating them. */
  static async open(parts: PointerParts): Promise<Pointer> {
    const known = await readOrMake(parts);
    await parts.prepare(known.live);
    const pointer = new Pointer(parts, known);
    await pointer.#sayUsed();
    return pointer;
  }

  /** The live build, as last read. */
  get live(): string {
    return this.#known.live;
  }

  /** Returns the live build, as of at most a second ago. */
  async follow(): Promise<string> {
    if (performance.now() - this.#readAt >= readAgainAfterMs) await this.#read();
    return this.#known.live;
  }

  /** Rereads the pointer, and resolves with the live build. */
  async readAgain(): Promise<string> {
    await this.#read();
    return this.#known.live;
  }

  /** Throws PortError `closed` if the build is neither live nor being built here, as of at most a second ago. */
  async require(build: string): Promise<void> {
    await this.follow();
    const { live, begun } = this.#known;
    if (build === live || (build === begun && build === this.#own)) return;
    throw new PortError('closed', `Build ${build} was dropped, or replaced: build ${live} is live`);
  }

  /** Begins a new build. A build begun earlier, by any process, is abandoned. */
  async begin(): Promise<string> {
    await this.follow();
    const build = newName();
    const known = await this.#update({}, { $set: { begun: build, begunUsedAt: new Date() } });
    if (known === null) throw new PortError('unavailable', 'The pointer to the live views is missing: try again');
    this.#own = build;
    this.#know(known);
    await this.#parts.prepare(build);
    return build;
  }

  /**
   * Resolves with false if the build is not the one that was begun, and again with true if repeated after an unknown
   * outcome.
   */
  async switchTo(build: string): Promise<boolean> {
    await this.#read();
    const { live } = this.#known;
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
    this.#know(known);
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
    const known = await readOrMake(this.#parts);
    if (known.live !== this.#known.live) await this.#parts.prepare(known.live);
    this.#know(known);
    await this.#sayUsed();
  }

  async #sayUsed(): Promise<void> {
    const { usedAt, begun } = this.#known;
    const now = new Date();
    if (now.getTime() - usedAt.getTime() > usedAgainAfterMs) await this.#update({}, { $set: { usedAt: now } });
    if (begun === undefined || begun !== this.#own) return;
    await this.#update({ begun }, { $set: { begunUsedAt: now } });
  }

  #know(known: StoredPointer): void {
    this.#known = known;
    this.#readAt = performance.now();
  }
}

const newName = (): string => new ObjectId().toHexString();

/** Names an empty live build if there is none; if several processes try at once, one succeeds. */
async function readOrMake({ pointers, key }: PointerParts): Promise<StoredPointer> {
  const found = await pointers.findOne({ _id: key });
  if (found !== null) return found;
  const made: StoredPointer = { _id: key, live: newName(), retired: [], usedAt: new Date() };
  try {
    await pointers.insertOne(made);
    return made;
  } catch (error) {
    if (!isDuplicateId(error)) throw error;
  }
  const other = await pointers.findOne({ _id: key });
  if (other === null) throw new PortError('unavailable', 'The pointer to the live views comes and goes: try again');
  return other;
}
