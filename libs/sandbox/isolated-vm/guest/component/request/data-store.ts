// The value of a prop of type `data_store`: methods that each send a request to the service and await the answer.
import { beginExchange } from '../../fetch/exchange.ts';
import { concatBytes } from '../../fetch/blob.ts';
import { TextDecoder, TextEncoder } from '../../encoding/text-encoding.ts';
import { LimitError, limits } from '../../core/guest-limits.ts';
import { jsonDepth } from '../../core/text.ts';
import { storesUrl } from '../../../wire.ts';
import type { StoreAnswer, StorePage, StoreQuestion, StoreRecord } from '../../../../../domain/store/question.ts';

interface SetOptions {
  /** Seconds. */
  readonly ttl?: number | null;
}

type Pair = readonly [key: string, value: unknown];

/** The status with which the hosted service answers when a store is full. */
const fullStatus = 426;

/** Values are the component's, unchecked; the service validates them. */
type StoreRequest = { readonly [Field in 'key' | 'value' | 'ttl' | 'after']?: unknown } & Pick<StoreQuestion, 'op'>;
type GrantedAnswer = Exclude<StoreAnswer, { readonly refused: string }>;

/** Numbers become text, because ids of other services often are numbers; `$.service.db` accepts them too. */
const keyOf = ({ key }: StoreRequest): unknown => (Number.isFinite(key) || typeof key === 'bigint' ? String(key) : key);

async function askStore(store: string, request: StoreRequest): Promise<GrantedAnswer> {
  const text = JSON.stringify({ ...request, key: keyOf(request), store });
  // The request around the value is one more level.
  const levelsMax = limits().depthMax - 1;
  if (jsonDepth(text) > levelsMax + 1)
    throw new LimitError(`data store: the value is nested deeper than ${levelsMax} levels`);
  const body = new TextEncoder().encode(text);
  const exchange = beginExchange({ method: 'POST', url: storesUrl, headers: [], body, redirect: 'error' });
  await exchange.responseHead;
  const parts: Uint8Array[] = [];
  for (let part = await exchange.read(); part !== undefined; part = await exchange.read()) parts.push(part);
  const answer = JSON.parse(new TextDecoder().decode(concatBytes(parts))) as StoreAnswer;
  if (!('refused' in answer)) return answer;
  const { refused, message } = answer;
  const error = Object.assign(new Error(message), { code: refused });
  error.name = 'DataStoreError';
  throw refused === 'store_full' ? Object.assign(error, { status: fullStatus }) : error;
}

/** Fetches the records page by page, as they are consumed. */
async function* records(store: string, op: 'keys' | 'entries'): AsyncGenerator<StoreRecord, void> {
  for (let after: number | undefined, isMore = true; isMore;) {
    const { page } = (await askStore(store, { op, after })) as { readonly page: StorePage };
    yield* page.records;
    after = page.last;
    isMore = page.hasMore;
  }
}

async function* pairs(store: string): AsyncGenerator<Pair, void> {
  for await (const { key, value } of records(store, 'entries')) yield [key, value];
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Null and undefined both mean no time to live. */
const ttlOf = (ttl: unknown): unknown => ttl ?? undefined;

/** Undefined stays undefined: an optional prop that was not set. */
export function dataStoreOf(store: unknown): unknown {
  if (typeof store !== 'string') return store;
  const isFound = async (request: StoreRequest): Promise<boolean> =>
    ((await askStore(store, request)) as { readonly found: boolean }).found;
  return {
    get: async (key: unknown): Promise<unknown> => {
      const { record } = (await askStore(store, { op: 'get', key })) as { readonly record?: StoreRecord };
      return record?.value;
    },
    has: (key: unknown): Promise<boolean> => isFound({ op: 'has', key }),
    set: async (key: unknown, value: unknown, options?: SetOptions | null): Promise<void> => {
      await askStore(store, { op: 'set', key, value, ttl: ttlOf(options?.ttl) });
    },
    setTtl: (key: unknown, ttl: unknown): Promise<boolean> => isFound({ op: 'set_ttl', key, ttl: ttlOf(ttl) }),
    delete: (key: unknown): Promise<boolean> => isFound({ op: 'delete', key }),
    clear: async (): Promise<void> => {
      await askStore(store, { op: 'clear' });
    },
    size: async (): Promise<number> => {
      const { store: info } = (await askStore(store, { op: 'store' })) as { readonly store: { readonly keys: number } };
      return info.keys;
    },
    keys: async (): Promise<string[]> => (await collect(records(store, 'keys'))).map(({ key }) => key),
    entries: (): Promise<Pair[]> => collect(pairs(store)),
    [Symbol.asyncIterator]: (): AsyncGenerator<Pair, void> => pairs(store),
  };
}
