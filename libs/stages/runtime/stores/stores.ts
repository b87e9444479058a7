// Keeps the data stores of a partition's workspaces, restored from `stores`, and finds expired keys by a heap.
import { DueHeap } from '../../../domain/timer/due-heap.ts';
import type { Json } from '../../../domain/json.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { entryKey, entryOfKey, requestsKey } from '../../../domain/store/messages.ts';
import { readQuestion } from '../../../domain/store/question.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { Vault } from '../source/vault.ts';
import { DataStore } from './data-store.ts';
import { WorkspaceStores } from './workspace-stores.ts';
import type { StoreResult, RequestContext, StoreExpiry } from './workspace-stores.ts';

interface WorkspaceExpiry extends StoreExpiry {
  readonly workspace: string;
}

/** A changed expiry leaves its former entry in the heap; the heap is swept once it has so many entries. */
const sweepMin = 1_000;

export class Stores {
  readonly #vault: Vault;
  readonly #byWorkspace = new Map<string, WorkspaceStores>();
  /** The workspace of each store, by store id: tombstones name only the store. */
  readonly #owners = new Map<string, string>();
  readonly #expiries = new DueHeap<WorkspaceExpiry>();
  #sweepAt = sweepMin;
  /** Every request below this offset is carried out. */
  handledBelow = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Applies a record of the log; a newer one with the same key replaces an older one. */
  accept(record: MessageOn<'stores'>): void {
    if (isTombstone(record)) return this.#erase(record.key);
    if (record.type === 'StoreRequestsTaken') this.handledBelow = Math.max(this.handledBelow, record.data.below);
    else if (record.type === 'DataStoreSaved') {
      const { storeId } = record.data;
      this.#storesOf(record.workspace).add(new DataStore(storeId, record.data));
      this.#owners.set(storeId, record.workspace);
    } else if (record.type === 'DataStoreRemoved') {
      const { storeId, createdAt } = record.data;
      this.#storesOf(record.workspace).rememberRemoved(storeId, createdAt);
      this.#owners.set(storeId, record.workspace);
    } else if (record.type === 'StoreEntrySaved') this.#acceptEntry(record.workspace, record.data);
  }

  answer(workspace: string, input: Json, context: RequestContext): StoreResult {
    const question = readQuestion(input);
    if (typeof question === 'string')
      return { answer: { refused: 'invalid', message: `The request is not valid: ${question}` }, changes: [] };
    const stores = this.#storesOf(workspace);
    const result = stores.answer(question, context);
    for (const { key, event } of result.changes) {
      if (event?.type === 'DataStoreSaved') this.#owners.set(key, workspace);
      else if (event === null) this.#owners.delete(key);
    }
    if (stores.isEmpty) this.#byWorkspace.delete(workspace);
    return result;
  }

  /** The bytes of the entry that a change of its expiry writes again; 0 for other questions. */
  rewrittenBytes(workspace: string, input: Json | undefined): number {
    const question = input === undefined ? '' : readQuestion(input);
    if (typeof question === 'string' || question.op !== 'set_ttl') return 0;
    const entry = this.#byWorkspace.get(workspace)?.get(question.store)?.get(question.key);
    return entry === undefined ? 0 : entry.name.$sealed.length + entry.value.$sealed.length;
  }

  /** Removes what has expired, and returns the keys on `stores` that need a tombstone. */
  expire(now: Millis): readonly string[] {
    const expiredKeys: string[] = [];
    for (let first = this.#expiries.first; first !== undefined && first.due <= now; first = this.#expiries.first) {
      this.#expiries.pop();
      if (!this.#isCurrent(first.item)) continue;
      const { storeId, slot } = first.item;
      const key = slot === undefined ? storeId : entryKey(storeId, slot);
      this.#erase(key);
      expiredKeys.push(key);
    }
    return expiredKeys;
  }

  /** The number of expiries in the heap, including outdated ones. */
  get expiryCount(): number {
    return this.#expiries.length;
  }

  /** The earliest time at which a key might expire; undefined: none does. */
  get nextExpiry(): Millis | undefined {
    return this.#expiries.first?.due;
  }

  #storesOf(workspace: string): WorkspaceStores {
    const known = this.#byWorkspace.get(workspace);
    if (known !== undefined) return known;
    const made = new WorkspaceStores(
      {
        open: (sealed) => this.#vault.open(workspace, sealed),
        seal: (jsonText) => this.#vault.seal(workspace, jsonText),
      },
      (expiry) => this.#addExpiry({ workspace, ...expiry }),
    );
    this.#byWorkspace.set(workspace, made);
    return made;
  }

  /** Ignores entries of a store that is gone, and entries whose key cannot be opened. */
  #acceptEntry(workspace: string, data: Extract<MessageOn<'stores'>, { type: 'StoreEntrySaved' }>['data']): void {
    if (data === undefined || data === null) return;
    const { storeId, ...entry } = data;
    const stores = this.#byWorkspace.get(workspace);
    const store = stores?.get(storeId);
    if (stores === undefined || store === undefined) return;
    try {
      const key = this.#vault.open(workspace, entry.name);
      if (typeof key === 'string') stores.put(store, { ...entry, key });
    } catch {
      // It was sealed with a data key that is gone, so it is lost.
    }
  }

  #erase(key: string): void {
    const { storeId, slot } = entryOfKey(key) ?? { storeId: key, slot: undefined };
    if (key === requestsKey) return;
    const workspace = this.#owners.get(storeId) ?? '';
    const stores = this.#byWorkspace.get(workspace);
    if (slot !== undefined) return stores?.get(storeId)?.remove(slot);
    stores?.drop(storeId);
    this.#owners.delete(storeId);
    if (stores?.isEmpty === true) this.#byWorkspace.delete(workspace);
  }

  #addExpiry(item: WorkspaceExpiry): void {
    this.#expiries.push(item.expiresAt, item);
    if (this.#expiries.length >= this.#sweepAt) this.#sweep();
  }

  #isCurrent({ workspace, storeId, slot, expiresAt }: WorkspaceExpiry): boolean {
    const stores = this.#byWorkspace.get(workspace);
    if (slot === undefined) return stores?.hasRemoved(storeId) === true;
    return stores?.get(storeId)?.at(slot)?.expiresAt === expiresAt;
  }

  #sweep(): void {
    // One for each entry of a store: an expiry that was changed and changed back is in the heap twice.
    const current = new Map<string, WorkspaceExpiry>();
    for (let first = this.#expiries.first; first !== undefined; first = this.#expiries.first) {
      const { item } = first;
      if (this.#isCurrent(item)) current.set(`${item.storeId}/${item.slot ?? ''}`, item);
      this.#expiries.pop();
    }
    for (const item of current.values()) this.#expiries.push(item.expiresAt, item);
    // At twice as many, a sweep costs no more than the additions since the last one.
    this.#sweepAt = Math.max(sweepMin, 2 * current.size);
  }
}
