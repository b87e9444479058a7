import type { LookupAddress } from 'node:dns';
import { Lookups } from './lookups.ts';

const patienceMs = 3_000;
const found: LookupAddress[] = [{ address: '203.0.113.7', family: 4 }];

/** A name's look-up ends only when `answer` is called for it. */
function world() {
  const clock = { ms: 0, reads: 0 };
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const lookups = new Lookups(
    (hostname, done) => {
      begun.push(hostname);
      running.set(hostname, () => void (running.delete(hostname), done(null, found)));
    },
    patienceMs,
    () => {
      clock.reads++;
      return clock.ms;
    },
  );
  const answered: string[] = [];
  const ask = (hostname: string, owner?: string): void => {
    const onAnswer = (error: Error | null, addresses: readonly LookupAddress[]): void => {
      answered.push(`${hostname} ${(error as NodeJS.ErrnoException | null)?.code ?? addresses[0]?.address}`);
    };
    lookups.ask(hostname, onAnswer, owner);
  };
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
  hanging(100).forEach((name) => ask(name));
  expect(begun).toHaveLength(1 + 6);
  ask('quick.example');
  answer('quick.example');
  expect(answered).toHaveLength(2);
});

test('names that were slow to be answered leave room for those of which nothing is known', () => {
  const { clock, begun, ask, answer } = world();
  const slow = hanging(6);
  slow.forEach((name) => ask(name));
  clock.ms = 10_000;
  slow.forEach(answer);
  slow.forEach((name) => ask(name));
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
  hanging(100).forEach((name) => ask(name));
  ask('was-slow.example');
  expect(begun.at(-1)).toBe('was-slow.example');
});

test('a name for which nobody waits any more is not looked up, and those who wait for it are told', () => {
  const { clock, begun, answered, ask, answer } = world();
  hanging(6).forEach((name) => ask(name));
  ask('late.example');
  clock.ms = patienceMs + 1;
  ask('new.example');
  expect(answered).toEqual(['late.example EAI_AGAIN']);
  answer('hanging-0.example');
  expect(begun.at(-1)).toBe('new.example');
});

test('everyone who waits for a name is told, however often one owner asks for it and whoever has waited too long', () => {
  const { clock, begun, answered, ask, answer } = world();
  hanging(6).forEach((name) => ask(name));
  ask('shared.example', 'o_1');
  ask('shared.example', 'o_1');
  clock.ms = 2_000;
  ask('shared.example', 'o_2');
  ask('shared.example', 'o_2');
  clock.ms = patienceMs + 1;
  ask('new.example');
  expect(answered).toEqual(['shared.example EAI_AGAIN', 'shared.example EAI_AGAIN']);
  answer('hanging-0.example');
  expect(begun.at(-1)).toBe('shared.example');
  answer('shared.example');
  expect(answered.slice(3)).toEqual(['shared.example 203.0.113.7', 'shared.example 203.0.113.7']);
});

test('who has waited too long behind others that still wait is told when it is their turn', () => {
  const { clock, begun, answered, ask, answer } = world();
  hanging(5).forEach((name) => ask(name, 'o_1'));
  ask('quick.example');
  ask('again.example', 'o_1');
  ask('late.example', 'o_2');
  clock.ms = 2_000;
  ask('again.example', 'o_1');
  clock.ms = patienceMs + 1;
  answer('quick.example');
  expect(answered).toEqual(['quick.example 203.0.113.7', 'late.example EAI_AGAIN']);
  expect(begun).toHaveLength(6);
});

test('however many names of one owner are never answered, a new one of another owner is looked up at once', () => {
  const { begun, answered, ask, answer } = world();
  hanging(1_000).forEach((name) => ask(name, 'o_1'));
  expect(begun).toHaveLength(5);
  ask('new.example', 'o_2');
  answer('new.example');
  expect(answered).toEqual(['new.example 203.0.113.7']);
  ask('next.example', 'o_2');
  expect(begun.at(-1)).toBe('next.example');
});

test('owners take turns at the places that become free, and each gets all that it asked for', () => {
  const { begun, ask, answer } = world();
  for (const owner of ['o_1', 'o_2', 'o_3']) for (let n = 0; n < 20; n++) ask(`${owner}-${n}.example`, owner);
  // The sixth place goes to the second owner, which waited first.
  const first = begun.splice(0);
  first.forEach(answer);
  expect(first.map((name) => name.slice(0, 3)).toSorted()).toEqual(['o_1', 'o_1', 'o_1', 'o_1', 'o_1', 'o_2']);
  const next = begun.slice(0, 6).map((name) => name.slice(0, 3));
  expect(next.toSorted()).toEqual(['o_1', 'o_1', 'o_2', 'o_2', 'o_3', 'o_3']);
  for (let from = 0; from < begun.length; from++) answer(begun[from] ?? '');
  expect(new Set([...first, ...begun]).size).toBe(60);
});

test('a name that several owners wait for is looked up once, in the first turn of any of them', () => {
  const { begun, answered, ask, answer } = world();
  for (let n = 0; n < 20; n++) ask(`own-${n}.example`, 'o_1');
  ask('shared.example', 'o_1');
  for (let n = 0; n < 3; n++) ask(`other-${n}.example`, 'o_2');
  ask('shared.example', 'o_3');
  begun.slice(0, 6).forEach(answer);
  expect(begun.filter((name) => name === 'shared.example')).toHaveLength(1);
  answer('shared.example');
  expect(answered.filter((told) => told.startsWith('shared'))).toHaveLength(2);
  for (let at = 0; at < begun.length; at++) answer(begun[at] ?? '');
  expect(begun.filter((name) => name === 'shared.example')).toHaveLength(1);
});

test('ten thousand owners that wait for a name each cost a step each, not one for all others', () => {
  const { clock, begun, ask, answer } = world();
  for (let n = 0; n < 10_000; n++) ask(`${n}.example`, `o_${n}`);
  for (let at = 0; at < begun.length; at++) answer(begun[at] ?? '');
  expect(begun).toHaveLength(10_000);
  expect(clock.reads).toBeLessThan(10 * 10_000);
});
