// Limits of what the stores of a workspace hold and return in one answer, in memory and without a log.
import { jest } from '@jest/globals';
import type { Json } from '../../../domain/json.ts';
import { storeBounds } from '../../../domain/store/bounds.ts';
import type { StoreAnswer } from '../../../domain/store/question.ts';
import { store } from '../testing/store-gateway.fake.ts';
import { masterKey, workspace } from '../testing/world.fake.ts';
import { Vault } from '../source/vault.ts';
import { Stores } from './stores.ts';

let stores: Stores;
let slot: number;
const at = (question: Json, now = 0): StoreAnswer => stores.answer(workspace, question, { now, slot: slot++ }).answer;

beforeEach(() => {
  const vault = new Vault(masterKey, { now: () => 0, randomBytes: (count) => Buffer.alloc(count) });
  jest.spyOn(vault, 'seal').mockReturnValue({ $sealed: 'AAAA' });
  stores = new Stores(vault);
  slot = 0;
  at({ op: 'create', store, name: 'Seen' });
});

test('a page of keys stays within the limit as JSON text, even if each letter is escaped', () => {
  const { keyUnitsMax, pageBytes } = storeBounds;
  for (let n = 100; n < 300; n++) at({ op: 'set', store, key: `${n}${'\u0001'.repeat(keyUnitsMax - 3)}`, value: n });
  const answer = at({ op: 'keys', store });
  if (!('page' in answer)) throw new Error(JSON.stringify(answer));
  const { records, hasMore } = answer.page;
  expect(hasMore).toBe(true);
  expect(records.length).toBeGreaterThan(80);
  expect(Buffer.byteLength(JSON.stringify(records.map(({ key }) => key)))).toBeLessThan(pageBytes + records.length);
});

test('each key counts towards the limit of a workspace with the memory it takes, even a short one', () => {
  const { entryBytes, valueBytes, workspaceBytes } = storeBounds;
  const large = 'x'.repeat(valueBytes - 2);
  let bytes = 0;
  for (let n = 100; n < 160; n++) {
    expect(at({ op: 'set', store, key: `k${n}`, value: large })).toMatchObject({ found: false });
    bytes += 6 + valueBytes + entryBytes;
  }
  let answer: StoreAnswer = { found: false };
  for (let n = 10_000; !('refused' in answer) && n < 20_000; n++) {
    answer = at({ op: 'set', store, key: `k${n}`, value: 1 });
    if (!('refused' in answer)) bytes += 9 + entryBytes;
  }
  expect(answer).toMatchObject({ refused: 'store_full' });
  expect(bytes).toBeLessThanOrEqual(workspaceBytes);
  expect(bytes).toBeGreaterThan(workspaceBytes - 9 - entryBytes);
  expect(at({ op: 'set', store, key: 'k10000', value: 2 })).toMatchObject({ found: true });
  expect(at({ op: 'set', store, key: 'k10000', value: large })).toMatchObject({ refused: 'store_full' });
  at({ op: 'delete', store, key: 'k10000' });
  expect(at({ op: 'set', store, key: 'other', value: 1 })).toMatchObject({ found: false });
});

test('an expiry set to the same time again and again is remembered once', () => {
  at({ op: 'set', store, key: 'k', value: 1, ttl: 10 });
  for (let n = 0; n < 20_000; n++) at({ op: 'set_ttl', store, key: 'k', ttl: 10 });
  expect(stores.expiryCount).toBeLessThan(2_100);
  expect(stores.expire(10_000)).toHaveLength(1);
});

describe('a store that was removed', () => {
  const dayMs = 24 * 3_600_000;
  const idOf = (n: number): string => `ds_${String(n).padStart(16, '0')}`;
  const create = (id: string, now: number, others: readonly string[] = []): StoreAnswer =>
    at({ op: 'create', store: id, name: 'Seen', others: [...others] }, now);

  test('is not created again with its id, or another id of the same request, for a day after its creation', () => {
    expect(at({ op: 'remove', store }, 5)).toEqual({ found: true });
    expect(at({ op: 'store', store }, 5)).toMatchObject({ refused: 'store_not_found' });
    expect(create(store, 6)).toMatchObject({ refused: 'store_removed' });
    expect(create(idOf(1), 6, [store])).toMatchObject({ refused: 'store_removed' });
    expect(create(idOf(1), 6)).toMatchObject({ store: { id: idOf(1) } });
    expect(stores.expire(dayMs - 1)).toEqual([]);
    expect(stores.expire(dayMs)).toEqual([store]);
    expect(create(store, dayMs)).toMatchObject({ store: { id: store } });
  });

  test('is forgotten at once when it was older than that', () => {
    const { changes } = stores.answer(workspace, { op: 'remove', store }, { now: dayMs, slot });
    expect(changes).toEqual([{ key: store, event: null }]);
    expect(create(store, dayMs)).toMatchObject({ store: { id: store } });
  });

  test('is remembered along with a limited number of others, the first of which is forgotten when there are more', () => {
    for (let n = 0; n <= storeBounds.removedMax; n++) {
      create(idOf(n), 1);
      const { changes } = stores.answer(workspace, { op: 'remove', store: idOf(n) }, { now: 1, slot });
      const first = n < storeBounds.removedMax ? [] : [{ key: idOf(0), event: null }];
      expect(changes.slice(1)).toEqual(first);
    }
    expect(create(idOf(1), 1)).toMatchObject({ refused: 'store_removed' });
    expect(create(idOf(0), 1)).toMatchObject({ store: { id: idOf(0) } });
  });
});
