// Messages about data stores: maps that a workspace's sources share, in the workspace's partition (decision 0059).
import type { Millis, MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/** On `triggers`, keyed by workspace: handled with the next append, without waiting for runs. */
export type StoreRequest = MessageOf<{
  DataStoreRequested: {
    /** A StoreQuestion. */
    readonly question: Sealed;
    /** The process that waits for the answer. */
    readonly replyTo: string;
  };
}>;

/** On `stores`. */
export type StoreEvent = MessageOf<{
  /** Keyed by store id. */
  DataStoreSaved: {
    readonly storeId: string;
    readonly name: string;
    readonly createdAt: Millis;
  };
  /**
   * Keyed by store id: replaces `DataStoreSaved` as long as the Idempotency-Key of the request that created the store
   * is valid.
   */
  DataStoreRemoved: {
    readonly storeId: string;
    readonly createdAt: Millis;
  };
  /** Keyed by store id and slot: the offset of the request that set the key first. */
  StoreEntrySaved: {
    readonly storeId: string;
    readonly slot: number;
    /** The key, as JSON text. */
    readonly name: Sealed;
    readonly value: Sealed;
    /** Of key and value, as JSON text. */
    readonly bytes: number;
    /** When the key expires. */
    readonly expiresAt: Millis | null;
  };
  /** Keyed `requests`. */
  StoreRequestsTaken: {
    /** Every request of the partition below this offset is carried out. */
    readonly below: number;
  };
}>;

export const requestsKey = 'requests';

export const entryKey = (storeId: string, slot: number): string => `${storeId}/${slot}`;

/** Undefined: the key is not one of an entry. */
export function entryOfKey(key: string): { readonly storeId: string; readonly slot: number } | undefined {
  const [storeId = '', slot] = key.split('/');
  return slot === undefined ? undefined : { storeId, slot: Number(slot) };
}
