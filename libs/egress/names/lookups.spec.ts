import type { LookupAddress } from 'node:dns';
import { Lookups } from './lookups.ts';

const patienceMs = 3_000;
const found: LookupAddress[] = [{ address: '203.0.113.7', family: 4 }];

/** Names are answered when `answer` is called, and those that it never is called for never. */
function world() {
  const clock = { ms: 0 };
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const lookups = new Lookups(
    (hostname, done) => {
      begun.push(hostname);
      running.set(hostname, () => void (running.delete(hostname), done(null, found)));
    },
    patienceMs,
    () => clock.ms,
  );
  const answered: string[] = [];
  const ask = (hostname: string): void =>
    lookups.ask(hostname, (error, addresses) =>
      answered.push(`${hostname} ${(error as NodeJS.ErrnoException | null)?.code ?? addresses[0]?.address}`),
    );
  const answer = (hostname: string): void => running.get(hostname)?.();
  return { clock, begun, answered, ask, answer };
}

const hanging = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `hanging-${at}.example`);

test('those who ask together share one look-up, and the next one asks anew', () => {
  const { begun, answered, ask, answer } = world();
  ask('a.example');
  ask('a.example');
  answer('a.example');
  expect([begun, answered]).toEqual([['a.example'], ['a.example 203.0.113.7', 'a.example 203.0.113.7']]);
  ask('a.example');
  expect(begun).toHaveLength(2);
});

test('however many names are never answered, one that was answered before is looked up at once', () => {
  const { begun, answered, ask, answer } = world();
  ask('quick.example');
  answer('quick.example');
  hanging(100).forEach(ask);
  expect(begun).toHaveLength(1 + 6);
  ask('quick.example');
  answer('quick.example');
  expect(answered).toHaveLength(2);
});

test('names that were slow to be answered leave room for those of which nothing is known', () => {
  const { clock, begun, ask, answer } = world();
  const slow = hanging(6);
  slow.forEach(ask);
  clock.ms = 10_000;
  slow.forEach(answer);
  slow.forEach(ask);
  expect(begun.slice(6)).toEqual(slow.slice(0, 4));
  ask('new.example');
  expect(begun.at(-1)).toBe('new.example');
});

test('a slow name that is answered quickly again is as quick as the others', () => {
  const { clock, begun, ask, answer } = world();
  ask('was-slow.example');
  clock.ms = 5_000;
  answer('was-slow.example');
  ask('was-slow.example');
  answer('was-slow.example');
  hanging(100).forEach(ask);
  ask('was-slow.example');
  expect(begun.at(-1)).toBe('was-slow.example');
});

test('a name for which nobody waits any more is not looked up, and those who wait for it are told', () => {
  const { clock, begun, answered, ask, answer } = world();
  hanging(6).forEach(ask);
  ask('late.example');
  clock.ms = patienceMs + 1;
  ask('new.example');
  expect(answered).toEqual(['late.example EAI_AGAIN']);
  answer('hanging-0.example');
  expect(begun.at(-1)).toBe('new.example');
});
