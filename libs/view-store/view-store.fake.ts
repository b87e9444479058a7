// The view store in memory, for tests: keeps every promise of the port except durability.
import { PortError } from '../domain/port-error.ts';
import type { Positions } from '../log/log.ts';
import {
  checkCount,
  indexOf,
  indexedValue,
  planViews,
  rangeCountMax,
  viewOf,
  type IndexedValue,
  type ViewPlan,
} from './catalog.ts';
import { advancePositions } from './advance-positions.ts';
import { LiveBuild } from './live-build.ts';
import {
  ViewBuild,
  ViewStore,
  type HeldRecords,
  type ViewCount,
  type ViewDefinition,
  type ViewDocument,
  type ViewGroup,
  type ViewIndexKey,
  type ViewQuery,
  type ViewRange,
  type ViewValue,
  type ViewWrite,
} from './view-store.ts';

interface Row {
  readonly version: number;
  /** A private copy, as JSON preserves it; undefined is a tombstone. */
  readonly value: ViewValue | undefined;
}

const closedMessage = 'The view store is closed';

const compare = (a: IndexedValue, b: IndexedValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : Buffer.compare(Buffer.from(`${a}`), Buffer.from(`${b}`));

const copyOf = (value: ViewValue): ViewValue => JSON.parse(JSON.stringify(value)) as ViewValue;

export class MemoryViewBuild extends ViewBuild {
  readonly name: string;
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  readonly #rows = new Map<string, Map<string, Row>>();
  #checkpoint: Positions = {};
  #held: HeldRecords = {};
  #closed: string | undefined;

  constructor(name: string, plans: ReadonlyMap<string, ViewPlan>) {
    super();
    this.name = name;
    this.#plans = plans;
    for (const view of plans.keys()) this.#rows.set(view, new Map());
  }

  /** Makes every later call throw PortError `closed`. */
  end(reason: string): void {
    this.#closed = reason;
  }

  async put(writes: readonly ViewWrite[]): Promise<void> {
    for (const { view, value } of writes) {
      const plan = this.#view(view);
      if (value !== undefined) for (const field of plan.fields) indexedValue(plan, field, value);
    }
    for (const { view, id, version, value } of writes) {
      const rows = this.#rowsOf(view);
      const row = rows.get(id);
      if (row !== undefined && row.version >= version) continue;
      rows.set(id, { version, value: value === undefined ? undefined : copyOf(value) });
    }
  }

  async removeRange(view: string, range: ViewRange): Promise<void> {
    const { sort } = indexOf(this.#view(view), range);
    const { from, to, belowVersion, leaves } = range;
    for (const { id, version, value } of this.#matching(view, range)) {
      const sortValue = indexedValue(this.#view(view), sort, value);
      const isBefore = from !== undefined && compare(sortValue, from) < 0;
      const isBeyond = to !== undefined && compare(sortValue, to) >= 0;
      if (isBefore || isBeyond || version >= belowVersion) continue;
      // Several projections of a test can share the store, so fading tombstones stay.
      if (leaves === 'nothing') this.#rowsOf(view).delete(id);
      else this.#rowsOf(view).set(id, { version, value: undefined });
    }
  }

  async get(view: string, id: string): Promise<ViewDocument | undefined> {
    return this.#document(view, id);
  }

  async getMany(view: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    checkCount('getMany', ids.length, 0);
    return ids.map((id) => this.#document(view, id));
  }

  async find(view: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    checkCount('limit', query.limit, 1);
    const { sort } = indexOf(this.#view(view), query);
    const sign = query.order === 'ascending' ? 1 : -1;
    const order = (a: readonly IndexedValue[], b: readonly IndexedValue[]): number =>
      sign * (compare(a[0] ?? '', b[0] ?? '') || compare(a[1] ?? '', b[1] ?? ''));
    const sortKeyOf = (document: ViewDocument): readonly IndexedValue[] => [
      indexedValue(this.#view(view), sort, document.value),
      document.id,
    ];
    const { after } = query;
    return this.#matching(view, query)
      .filter((document) => after === undefined || order(sortKeyOf(document), [after.sort, after.id]) > 0)
      .sort((a, b) => order(sortKeyOf(a), sortKeyOf(b)))
      .slice(0, query.limit)
      .map(({ value, ...found }) => ({ ...found, value: copyOf(value) }));
  }

  async findKeys(view: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    const { sort } = indexOf(this.#view(view), query);
    const found = await this.find(view, query);
    return found.map(({ id, value }) => ({ sort: indexedValue(this.#view(view), sort, value), id }));
  }

  async highest(view: string, query: ViewGroup): Promise<IndexedValue | undefined> {
    const { sort } = indexOf(this.#view(view), query);
    const values = this.#matching(view, query).map(({ value }) => indexedValue(this.#view(view), sort, value));
    return values.sort(compare).at(-1);
  }

  async count(view: string, query: ViewCount): Promise<number> {
    const { from, to } = query;
    const { sort } = indexOf(this.#view(view), query);
    const found = this.#matching(view, query)
      .map(({ value }) => indexedValue(this.#view(view), sort, value))
      .filter(
        (value) => (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) < 0),
      );
    return from === undefined && to === undefined ? found.length : Math.min(found.length, rangeCountMax);
  }

  async checkpoint(): Promise<Positions> {
    this.#checkOpen();
    return this.#checkpoint;
  }

  resume(): Promise<Positions> {
    return this.checkpoint();
  }

  async saveCheckpoint(positions: Positions, held: HeldRecords = {}): Promise<void> {
    this.#checkOpen();
    this.#checkpoint = advancePositions(this.#checkpoint, positions);
    this.#held = { ...this.#held, ...held };
  }

  async heldRecords(): Promise<HeldRecords> {
    this.#checkOpen();
    return this.#held;
  }

  async *all(view: string): AsyncIterable<ViewDocument> {
    const ids = [...this.#rowsOf(view).keys()].sort(compare);
    for (const id of ids) {
      const document = this.#document(view, id);
      if (document !== undefined) yield document;
    }
  }

  /** Returns the stored objects themselves, which must not leave the store. */
  #matching(view: string, query: Pick<ViewQuery, 'index' | 'equals'>): ViewDocument[] {
    const { matched } = indexOf(this.#view(view), query);
    return [...this.#rowsOf(view).keys()]
      .map((id) => this.#stored(view, id))
      .filter((stored) => stored !== undefined)
      .filter(({ value }) => matched.every((field, i) => value[field] === query.equals[i]));
  }

  #document(view: string, id: string): ViewDocument | undefined {
    const stored = this.#stored(view, id);
    return stored && { ...stored, value: copyOf(stored.value) };
  }

  #stored(view: string, id: string): ViewDocument | undefined {
    const row = this.#rowsOf(view).get(id);
    return row?.value === undefined ? undefined : { id, version: row.version, value: row.value };
  }

  #rowsOf(view: string): Map<string, Row> {
    this.#checkOpen();
    return this.#rows.get(viewOf(this.#plans, view).name) ?? new Map();
  }

  #view(name: string): ViewPlan {
    return viewOf(this.#plans, name);
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new PortError('closed', this.#closed);
  }
}

export class MemoryViewStore extends ViewStore {
  readonly #plans: ReadonlyMap<string, ViewPlan>;
  #live: MemoryViewBuild;
  #begun: MemoryViewBuild | undefined;
  #builds = 1;
  #closed = false;
  readonly #reader = new LiveBuild(() => this.#live);

  constructor(definitions: readonly ViewDefinition[]) {
    super();
    this.#plans = planViews(definitions);
    this.#live = new MemoryViewBuild('1', this.#plans);
  }

  live(): ViewBuild {
    return this.#reader;
  }

  async begin(): Promise<ViewBuild> {
    if (this.#closed) throw new PortError('closed', closedMessage);
    this.#begun?.end('This build was dropped for a newer one');
    this.#builds += 1;
    this.#begun = new MemoryViewBuild(`${this.#builds}`, this.#plans);
    return this.#begun;
  }

  async switchTo(build: ViewBuild): Promise<void> {
    if (this.#begun === undefined || build !== this.#begun) throw new Error(`Build ${build.name} is not the one begun`);
    this.#live.end(`Build ${this.#live.name} was replaced by ${build.name}`);
    this.#live = this.#begun;
    this.#begun = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const build of [this.#live, this.#begun]) build?.end(closedMessage);
  }
}
