import { phasesOf } from './phases.ts';

test('the phases of opening a new connection come before waiting and reading', () => {
  const times = { dns_ms: 1, connect_ms: 8, tls_ms: 17, first_byte_ms: 11, duration_ms: 12 };
  expect(phasesOf(times)).toEqual([
    { name: 'dns', ms: 1 },
    { name: 'connect', ms: 8 },
    { name: 'tls', ms: 17 },
    { name: 'waiting', ms: 11 },
    { name: 'reading', ms: 1 },
  ]);
});

test('without an answer the whole duration counts as waiting', () => {
  const times = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, duration_ms: 15_000 };
  expect(phasesOf(times)).toEqual([{ name: 'waiting', ms: 15_000 }]);
});
