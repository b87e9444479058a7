// A caller's handle of a build in MongoDB: each call determines which build it uses, and whether that still exists.
import { PortError } from '../../../domain/port-error.ts';
import type { Positions } from '../../../log/log.ts';
import {
  ViewBuild,
  type HeldRecords,
  type ViewCount,
  type ViewDocument,
  type ViewGroup,
  type ViewIndexKey,
  type ViewQuery,
  type ViewRange,
  type ViewWrite,
} from '../../view-store.ts';
import type { BuildReader } from './build-reader.ts';
import type { BuildWriter } from './build-writer.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { RangeRemover } from './range-remover.ts';

/** Documents that `all` reads at once: each can hold 1 MiB. */
const documentsPerPage = 100;

/** One build's documents and checkpoint. */
export interface BuildData {
  readonly name: string;
  readonly reader: BuildReader;
  readonly writer: BuildWriter;
  readonly remover: RangeRemover;
  readonly checkpoint: Checkpoint;
}

export interface BuildAccess {
  readonly name: () => string;
  /** Runs `work` on the build's data, and translates errors to the port's. `to`: the kind of work. */
  readonly use: <Result>(to: Use, work: (data: BuildData) => Promise<Result>) => Promise<Result>;
}

/** `resume` reads the positions from which writes continue; `write` continues there. */
export type Use = 'read' | 'resume' | 'write';

export class MongoViewBuild extends ViewBuild {
  readonly #access: BuildAccess;

  constructor(access: BuildAccess) {
    super();
    this.#access = access;
  }

  get name(): string {
    return this.#access.name();
  }

  async put(writes: readonly ViewWrite[]): Promise<void> {
    await this.#access.use('write', ({ writer }) => writer.put(writes));
  }

  async removeRange(view: string, range: ViewRange): Promise<void> {
    await this.#access.use('write', ({ remover }) => remover.remove(view, range));
  }

  get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#access.use('read', ({ reader }) => reader.get(view, id));
  }

  getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    return this.#access.use('read', ({ reader }) => reader.getMany(view, ids));
  }

  find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    return this.#access.use('read', ({ reader }) => reader.find(view, query));
  }

  findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    return this.#access.use('read', ({ reader }) => reader.places(view, query));
  }

  highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    return this.#access.use('read', ({ reader }) => reader.highest(view, query));
  }

  count(view: string, query: ViewCount): Promise<number> {
    return this.#access.use('read', ({ reader }) => reader.count(view, query));
  }

  checkpoint(): Promise<Positions> {
    return this.#access.use('read', ({ checkpoint }) => checkpoint.read());
  }

  resume(): Promise<Positions> {
    return this.#access.use('resume', ({ checkpoint }) => checkpoint.read());
  }

  async saveCheckpoint(positions: Positions, held?: HeldRecords): Promise<void> {
    await this.#access.use('write', ({ checkpoint }) => checkpoint.save(positions, held));
  }

  heldRecords(): Promise<HeldRecords> {
    return this.#access.use('read', ({ checkpoint }) => checkpoint.held());
  }

  /** Reads all documents from one build: throws PortError `closed` if another build becomes live in the meantime. */
  async *all(view: string): AsyncIterable<ViewDocument> {
    let pinned: BuildData | undefined;
    for (let after: string | undefined; ;) {
      const startAfter = after;
      const documents = await this.#access.use('read', (data) => {
        pinned ??= data;
        if (data !== pinned) throw new PortError('closed', `Build ${pinned.name} was replaced by ${data.name}`);
        return data.reader.page(view, startAfter, documentsPerPage);
      });
      yield* documents;
      after = documents.at(-1)?.id;
      if (after === undefined) return;
    }
  }
}
