// Keeps the data stores of a partition's workspaces, restored from `stores`, and finds expired keys by a heap.
import { DueHeap } from '../../../domain/timer/due-heap.ts';
import type { Json } from '../../../domain/json.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { entryKey, entryOfKey, takenKey } from '../../../domain/store/messages.ts';
import { readQuestion } from '../../../domain/store/question.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { Vault } from '../source/vault.ts';
import { DataStore } from './data-store.ts';
import { WorkspaceStores } from './workspace-stores.ts';
import type { Answered, Asked, StoreEnd } from './workspace-stores.ts';

interface Expiring extends StoreEnd {
  readonly workspace: string;
}

/** A changed expiry leaves its former entry in the heap; the heap is swept once it has so many entries. */
const sweptFrom = 1_000;

export class Stores {
  readonly #vault: Vault;
  readonly #byWorkspace = new Map<string, WorkspaceStores>();
  /** The workspace of each store, by store id: tombstones name only the store. */
  readonly #owners = new Map<string, string>();
  readonly #ends = new DueHeap<Expiring>();
  #sweepAt = sweptFrom;
  /** Every request below this offset is carried out. */
  takenBelow = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Applies a record of the log; a newer one with the same key replaces an older one. */
  accept(record: MessageOn<'stores'>): void {
    if (isTombstone(record)) return this.#erase(record.key);
    if (record.type === 'StoreRequestsTaken') this.takenBelow = Math.max(this.takenBelow, record.data.below);
    else if (record.type === 'DataStoreSaved') {
      const { storeId } = record.data;
      this.#of(record.workspace).add(new DataStore(storeId, record.data));
      this.#owners.set(storeId, record.workspace);
    } else if (record.type === 'DataStoreRemoved') {
      const { storeId, createdAt } = record.data;
      this.#of(record.workspace).remember(storeId, createdAt);
      this.#owners.set(storeId, record.workspace);
    } else if (record.type === 'StoreEntrySaved') this.#acceptEntry(record.workspace, record.data);
  }

  answer(workspace: string, given: Json, asked: Asked): Answered {
    const question = readQuestion(given);
    if (typeof question === 'string')
      return { answer: { refused: 'invalid', message: `The request is not valid: ${question}` }, changes: [] };
    const stores = this.#of(workspace);
    const answered = stores.answer(question, asked);
    for (const { key, event } of answered.changes) {
      if (event?.type === 'DataStoreSaved') this.#owners.set(key, workspace);
      else if (event === null) this.#owners.delete(key);
    }
    if (stores.isEmpty) this.#byWorkspace.delete(workspace);
    return answered;
  }

  /** The bytes of the entry that a change of its expiry writes again; 0 for other questions. */
  movedBy(workspace: string, given: Json | undefined): number {
    const question = given === undefined ? '' : readQuestion(given);
    if (typeof question === 'string' || question.op !== 'set_ttl') return 0;
    const entry = this.#byWorkspace.get(workspace)?.get(question.store)?.get(question.key);
    return entry === undefined ? 0 : entry.name.$sealed.length + entry.value.$sealed.length;
  }

  /** Removes what has expired, and returns the keys on `stores` that need a tombstone. */
  expire(now: Millis): readonly string[] {
    const gone: string[] = [];
    for (let first = this.#ends.first; first !== undefined && first.due <= now; first = this.#ends.first) {
      this.#ends.pop();
      if (!this.#stands(first.item)) continue;
      const { storeId, slot } = first.item;
      const key = slot === undefined ? storeId : entryKey(storeId, slot);
      this.#erase(key);
      gone.push(key);
    }
    return gone;
  }

  /** The number of expiries in the heap, including outdated ones. */
  get ends(): number {
    return this.#ends.length;
  }

  /** The earliest time at which a key might expire; undefined: none does. */
  get firstEnd(): Millis | undefined {
    return this.#ends.first?.due;
  }

  #of(workspace: string): WorkspaceStores {
    const known = this.#byWorkspace.get(workspace);
    if (known !== undefined) return known;
    const made = new WorkspaceStores(
      {
        open: (sealed) => this.#vault.open(workspace, sealed),
        seal: (jsonText) => this.#vault.seal(workspace, jsonText),
      },
      (end) => this.#end({ workspace, ...end }),
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
    if (key === takenKey) return;
    const workspace = this.#owners.get(storeId) ?? '';
    const stores = this.#byWorkspace.get(workspace);
    if (slot !== undefined) return stores?.get(storeId)?.remove(slot);
    stores?.drop(storeId);
    this.#owners.delete(storeId);
    if (stores?.isEmpty === true) this.#byWorkspace.delete(workspace);
  }

  #end(item: Expiring): void {
    this.#ends.push(item.expiresAt, item);
    if (this.#ends.length >= this.#sweepAt) this.#sweep();
  }

  #stands({ workspace, storeId, slot, expiresAt }: Expiring): boolean {
    const stores = this.#byWorkspace.get(workspace);
    if (slot === undefined) return stores?.hasRemoved(storeId) === true;
    return stores?.get(storeId)?.at(slot)?.expiresAt === expiresAt;
  }

  #sweep(): void {
    // One for each entry of a store: an expiry that was changed and changed back is in the heap twice.
    const kept = new Map<string, Expiring>();
    for (let first = this.#ends.first; first !== undefined; first = this.#ends.first) {
      const { item } = first;
      if (this.#stands(item)) kept.set(`${item.storeId}/${item.slot ?? ''}`, item);
      this.#ends.pop();
    }
    for (const item of kept.values()) this.#ends.push(item.expiresAt, item);
    // At twice as many, a sweep costs no more than the additions since the last one.
    this.#sweepAt = Math.max(sweptFrom, 2 * kept.size);
  }
}
