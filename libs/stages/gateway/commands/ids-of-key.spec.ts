// The ids that are derived from an Idempotency-Key, and how long they stay the same.
import { isKeyTied } from '../../../domain/definition/recorded-requests.ts';
import { idsOfKey } from './ids-of-key.ts';

const hourMs = 3_600_000;
const midnight = Math.floor(1_700_000_000_000 / (24 * hourMs)) * 24 * hourMs;
const ids = (now: number, key = 'k', workspace = 'o_1') => idsOfKey('rpl', { workspace, key, now });

test('the id of a request at any time is among the ids of the following 24 hours', () => {
  for (let hour = 0; hour < 24; hour++) {
    const [made] = ids(midnight + hour * hourMs);
    for (let later = 0; later < 24; later++) expect(ids(midnight + (hour + later) * hourMs)).toContain(made);
  }
});

test('after 24 hours the id is a new one', () => {
  for (let hour = 0; hour < 24; hour++) {
    const [made] = ids(midnight + hour * hourMs);
    expect(ids(midnight + (hour + 24) * hourMs)[0]).not.toBe(made);
  }
  expect([isKeyTied(midnight, midnight + 24 * hourMs - 1), isKeyTied(midnight, midnight + 24 * hourMs)]).toEqual([
    true,
    false,
  ]);
});

test('other keys and other workspaces have other ids', () => {
  const all = [...ids(midnight), ...ids(midnight, 'other'), ...ids(midnight, 'k', 'o_2')];
  expect(new Set(all).size).toBe(all.length);
});
