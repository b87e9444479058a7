import { filtersIn, isSearch, queryOf } from './search.ts';

test('the search is in the address: filters that it does not name are not sent', () => {
  const search = new URLSearchParams('state=parked&webhook_id=wh_1&delivery=msg_1&source_id=');
  expect(filtersIn(search)).toEqual({ state: 'parked', webhook_id: 'wh_1' });
});

test('half-typed values are not sent', () => {
  expect(queryOf({ event_id: '1777000000123-', status: '5x', state: 'failing' }, 0)).toEqual({
    state: 'failing',
  });
  expect(queryOf({ event_id: '1777000000123-0', status: '503' }, 0)).toEqual({
    event_id: '1777000000123-0',
    status: '503',
  });
});

test('hours are sent as the time at which they begin', () => {
  const nowMs = 10 * 3_600_000;
  expect(queryOf({ hours: '1' }, nowMs)).toEqual({ from: nowMs - 3_600_000 });
});

test('a query that the service answers by scanning is a search, one that an index answers is a list', () => {
  for (const list of [{}, { state: 'parked', webhook_id: 'wh_1' }, { hours: '24' }, { event_id: '1-0' }])
    expect(isSearch(list)).toBe(false);
  for (const search of [{ q: 'x' }, { status: '500' }, { webhook_id: 'wh_1', source_id: 'dc_1' }])
    expect(isSearch(search)).toBe(true);
});
