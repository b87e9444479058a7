// Stands for the live build: the same object before and after a switch, which reads the build that is live at each
// call.
import type { Positions } from '../log/log.ts';
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
} from './view-store.ts';

export class LiveBuild extends ViewBuild {
  readonly #current: () => ViewBuild;

  constructor(current: () => ViewBuild) {
    super();
    this.#current = current;
  }

  get name(): string {
    return this.#current().name;
  }

  put(writes: readonly ViewWrite[]): Promise<void> {
    return this.#current().put(writes);
  }

  removeRange(view: string, range: ViewRange): Promise<void> {
    return this.#current().removeRange(view, range);
  }

  get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#current().get(view, id);
  }

  getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    return this.#current().getMany(view, ids);
  }

  find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    return this.#current().find(view, query);
  }

  findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    return this.#current().findKeys(view, query);
  }

  highest(view: string, query: ViewGroup): Promise<string | number | undefined> {
    return this.#current().highest(view, query);
  }

  count(view: string, query: ViewCount): Promise<number> {
    return this.#current().count(view, query);
  }

  checkpoint(): Promise<Positions> {
    return this.#current().checkpoint();
  }

  resume(): Promise<Positions> {
    return this.#current().resume();
  }

  saveCheckpoint(positions: Positions, held?: HeldRecords): Promise<void> {
    return this.#current().saveCheckpoint(positions, held);
  }

  heldRecords(): Promise<HeldRecords> {
    return this.#current().heldRecords();
  }

  all(view: string): AsyncIterable<ViewDocument> {
    return this.#current().all(view);
  }
}
