// Holds the data stores of one workspace in memory, answers requests to them, and returns the changes to append.
import { isKeyTied, requestTtlMs } from '../../../domain/definition/recorded-requests.ts';
import { storeBounds } from '../../../domain/store/bounds.ts';
import { entryKey } from '../../../domain/store/messages.ts';
import type { StoreEvent } from '../../../domain/store/messages.ts';
import type {
  StoreAnswer,
  StoreInfo,
  StorePage,
  StoreQuestion,
  StoreRecord,
  StoreRefusal,
} from '../../../domain/store/question.ts';
import type { Json } from '../../../domain/json.ts';
import type { Decided, Millis } from '../../../domain/message.ts';
import type { Sealer } from '../source/source-db.ts';
import { DataStore } from './data-store.ts';
import type { StoreEntry } from './data-store.ts';

/** The new value of a record key on `stores`; null: a tombstone. */
export interface StoreChange {
  readonly key: string;
  readonly event: Decided<StoreEvent> | null;
}

export interface StoreResult {
  readonly answer: StoreAnswer;
  readonly changes: readonly StoreChange[];
}

/** The time of a request, and its offset as `slot`, which a new key keeps as its place in the store's order. */
export interface RequestContext {
  readonly now: Millis;
  readonly slot: number;
}

/** The expiry of an entry, or without `slot` of the memory of a removed store. */
export interface StoreExpiry {
  readonly storeId: string;
  readonly slot?: number;
  readonly expiresAt: Millis;
}

type QuestionOf<Op extends StoreQuestion['op']> = Extract<StoreQuestion, { readonly op: Op }>;
type StoreScopedQuestion = Exclude<StoreQuestion, { readonly op: 'stores' | 'create' }>;

const refuse = (refused: StoreRefusal, message: string): StoreResult => ({ answer: { refused, message }, changes: [] });
const resultOf = (answer: StoreAnswer, changes: readonly StoreChange[] = []): StoreResult => ({ answer, changes });

const refuseFull = (message: string): StoreResult => refuse('store_full', message);

class SealedEntryError extends Error {
  constructor(key: string) {
    super(`The value of the key ${key} cannot be opened: it is damaged. Set it again, or delete it.`);
  }
}

const infoOf = ({ id, name, createdAt, keys, bytes }: DataStore): StoreInfo => ({ id, name, createdAt, keys, bytes });

export class WorkspaceStores {
  readonly #sealing: Sealer;
  readonly #stores = new Map<string, DataStore>();
  /** Creation times of removed stores by id, in the order of their removal. */
  readonly #removed = new Map<string, Millis>();
  readonly #onExpiry: (expiry: StoreExpiry) => void;

  /** `onExpiry` is called with each new expiry. */
  constructor(sealing: Sealer, onExpiry: (expiry: StoreExpiry) => void) {
    this.#sealing = sealing;
    this.#onExpiry = onExpiry;
  }

  get isEmpty(): boolean {
    return this.#stores.size === 0 && this.#removed.size === 0;
  }

  get(storeId: string): DataStore | undefined {
    return this.#stores.get(storeId);
  }

  add(store: DataStore): void {
    this.#stores.set(store.id, store);
  }

  drop(storeId: string): void {
    this.#stores.delete(storeId);
    this.#removed.delete(storeId);
  }

  hasRemoved(storeId: string): boolean {
    return this.#removed.has(storeId);
  }

  /** Remembers a removed store: its id is not used again as long as the Idempotency-Key that made it is kept. */
  rememberRemoved(storeId: string, createdAt: Millis): void {
    this.drop(storeId);
    this.#removed.set(storeId, createdAt);
    this.#onExpiry({ storeId, expiresAt: createdAt + requestTtlMs });
  }

  put(store: DataStore, entry: StoreEntry): void {
    store.put(entry);
    const { slot, expiresAt } = entry;
    if (expiresAt !== null) this.#onExpiry({ storeId: store.id, slot, expiresAt });
  }

  /** Call this only after expired entries were removed. */
  answer(question: StoreQuestion, context: RequestContext): StoreResult {
    try {
      return this.#answer(question, context);
    } catch (error) {
      if (error instanceof SealedEntryError) return refuse('sealed', error.message);
      throw error;
    }
  }

  #answer(question: StoreQuestion, context: RequestContext): StoreResult {
    if (question.op === 'stores') return resultOf({ stores: [...this.#stores.values()].map(infoOf) });
    if (question.op === 'create') return this.#create(question, context);
    const store = this.#stores.get(question.store);
    if (store === undefined) return refuse('store_not_found', `There is no data store ${question.store}`);
    return this.#answerForStore(store, question, context);
  }

  #answerForStore(store: DataStore, question: StoreScopedQuestion, context: RequestContext): StoreResult {
    switch (question.op) {
      case 'store':
        return resultOf({ store: infoOf(store) });
      case 'remove':
        return this.#remove(store, context);
      case 'clear':
        return resultOf({ found: store.keys > 0 }, this.#clear(store));
      case 'get':
        return this.#get(store, question.key);
      case 'has':
        return resultOf({ found: store.get(question.key) !== undefined });
      case 'delete':
        return this.#delete(store, question.key);
      case 'set':
        return this.#set(store, question, context);
      case 'set_ttl':
        return this.#setTtl(store, question, context);
      default:
        return resultOf({ page: this.#page(store, question) });
    }
  }

  /** Idempotent: if there is a store with this id already, the answer is that one. */
  #create({ store: id, name, others = [] }: QuestionOf<'create'>, { now }: RequestContext): StoreResult {
    const known = this.#stores.get(id);
    if (known !== undefined) return resultOf({ store: infoOf(known) });
    if ([id, ...others].some((one) => this.#removed.has(one)))
      return refuse('store_removed', `The data store ${id} was created before, and removed since`);
    const { storesMax } = storeBounds;
    if (this.#stores.size >= storesMax) return refuseFull(`A workspace may have ${storesMax} data stores`);
    const store = new DataStore(id, { name, createdAt: now });
    this.add(store);
    const event = { type: 'DataStoreSaved', data: { storeId: id, name, createdAt: now } } as const;
    return resultOf({ store: infoOf(store) }, [{ key: id, event }]);
  }

  #remove(store: DataStore, { now }: RequestContext): StoreResult {
    const { id: storeId, createdAt } = store;
    const cleared = this.#clear(store);
    this.drop(storeId);
    if (!isKeyTied(createdAt, now)) return resultOf({ found: true }, [...cleared, { key: storeId, event: null }]);
    this.rememberRemoved(storeId, createdAt);
    const event = { type: 'DataStoreRemoved', data: { storeId, createdAt } } as const;
    return resultOf({ found: true }, [...cleared, { key: storeId, event }, ...this.#forgetOldest()]);
  }

  /** Forgets the store that was removed first when too many are remembered; returns its tombstone. */
  #forgetOldest(): readonly StoreChange[] {
    const [key] = this.#removed.keys();
    if (key === undefined || this.#removed.size <= storeBounds.removedMax) return [];
    this.drop(key);
    return [{ key, event: null }];
  }

  #clear(store: DataStore): readonly StoreChange[] {
    const slots = [...store.entries()].map(({ slot }) => slot);
    for (const slot of slots) store.remove(slot);
    return slots.map((slot) => ({ key: entryKey(store.id, slot), event: null }));
  }

  #get(store: DataStore, key: string): StoreResult {
    const entry = store.get(key);
    if (entry === undefined) return resultOf({ found: false });
    return resultOf({ found: true, record: { key, value: this.#open(entry), expiresAt: entry.expiresAt } });
  }

  #delete(store: DataStore, key: string): StoreResult {
    const entry = store.get(key);
    if (entry === undefined) return resultOf({ found: false });
    store.remove(entry.slot);
    return resultOf({ found: true }, [{ key: entryKey(store.id, entry.slot), event: null }]);
  }

  #set(store: DataStore, { key, value, ttl }: QuestionOf<'set'>, { now, slot }: RequestContext): StoreResult {
    const { keysMax, entryBytes, workspaceBytes } = storeBounds;
    const old = store.get(key);
    const [nameText, valueText] = [JSON.stringify(key), JSON.stringify(value)];
    const bytes = Buffer.byteLength(nameText) + Buffer.byteLength(valueText);
    if (old === undefined && store.keys >= keysMax) return refuseFull(`A data store may have ${keysMax} keys`);
    const added = bytes - (old?.bytes ?? -entryBytes);
    if (added > 0 && this.#bytes + added > workspaceBytes)
      return refuseFull(`The data stores of a workspace may hold ${workspaceBytes} bytes`);
    const name = old?.name ?? this.#sealing.seal(nameText);
    const sealed = this.#sealing.seal(valueText);
    if (name === null || sealed === null) return refuse('sealed', 'The data key of the workspace is gone');
    const expiresAt = expiryOf(ttl, now);
    const entry = { slot: old?.slot ?? slot, key, name, value: sealed, bytes, expiresAt };
    return resultOf({ found: old !== undefined, record: { key, expiresAt } }, [this.#write(store, entry)]);
  }

  #setTtl(store: DataStore, { key, ttl }: QuestionOf<'set_ttl'>, { now }: RequestContext): StoreResult {
    const entry = store.get(key);
    if (entry === undefined) return resultOf({ found: false });
    return resultOf({ found: true }, [this.#write(store, { ...entry, expiresAt: expiryOf(ttl, now) })]);
  }

  #write(store: DataStore, entry: StoreEntry): StoreChange {
    this.put(store, entry);
    const { key: _key, ...data } = entry;
    return {
      key: entryKey(store.id, entry.slot),
      event: { type: 'StoreEntrySaved', data: { storeId: store.id, ...data } },
    };
  }

  #page(store: DataStore, { op, after = -1, limit = Infinity }: QuestionOf<'keys' | 'entries'>): StorePage {
    const records: StoreRecord[] = [];
    const { pageKeysMax, pageBytes } = storeBounds;
    let bytes = 0;
    const slots: number[] = [];
    let hasMore = false;
    for (const entry of store.entries()) {
      if (entry.slot <= after) continue;
      bytes += op === 'keys' ? Buffer.byteLength(JSON.stringify(entry.key)) : entry.bytes;
      hasMore = records.length >= Math.min(limit, pageKeysMax) || (records.length > 0 && bytes > pageBytes);
      if (hasMore) break;
      const { key, expiresAt } = entry;
      records.push(op === 'keys' ? { key, expiresAt } : { key, value: this.#open(entry), expiresAt });
      slots.push(entry.slot);
    }
    const [first] = slots;
    const last = slots.at(-1);
    const bounds = first === undefined || last === undefined ? {} : { first, last };
    return { records, total: store.keys, ...bounds, hasMore };
  }

  get #bytes(): number {
    let bytes = 0;
    for (const store of this.#stores.values()) bytes += store.bytes + store.keys * storeBounds.entryBytes;
    return bytes;
  }

  /** Throws SealedEntryError. */
  #open({ key, value }: StoreEntry): Json {
    try {
      return this.#sealing.open(value);
    } catch {
      throw new SealedEntryError(key);
    }
  }
}

const expiryOf = (ttl: number | undefined, now: Millis): Millis | null =>
  ttl === undefined ? null : now + Math.round(ttl * 1_000);
