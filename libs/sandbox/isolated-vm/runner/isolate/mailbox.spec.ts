// Whatever a guest sends, only well-formed messages are accepted.
import fc from 'fast-check';
import { requestHeadUnitsMax, piecesMax, pieceUnits } from '../../wire.ts';
import { receive } from './mailbox.ts';
import type { MailboxOwner } from './mailbox.ts';

function recorder(): { owner: MailboxOwner; seen: unknown[][] } {
  const seen: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void seen.push([name, ...args]);
  const names = ['emit', 'console', 'respond', 'db', 'done', 'tampered'] as const;
  const timers = { set: note('timer'), delete: note('clearTimer'), unref: note('unref') };
  const requests = { ask: note('ask'), pull: note('pull'), abort: note('abort') };
  const owner = {
    ...Object.fromEntries(names.map((name) => [name, note(name)])),
    requests,
    timers,
  } as unknown as MailboxOwner;
  return { owner, seen };
}

it('passes each well-formed message on', () => {
  const { owner, seen } = recorder();
  receive(owner, 1, 7, '{}');
  receive(owner, 2, 7, 'log', 'text');
  receive(owner, 3, 7, '{}', 'body');
  receive(owner, 4, 7, 'key', null);
  receive(owner, 4, 7, 'key', '1');
  receive(owner, 5, 7, null);
  receive(owner, 6, 1, 50, 7);
  receive(owner, 7, 1);
  const body = new ArrayBuffer(1);
  receive(owner, 8, 1, 7, '{}', body);
  receive(owner, 8, 2, 7, '{}', undefined);
  receive(owner, 9, 1);
  receive(owner, 10, 1);
  receive(owner, 11, 1);
  expect(seen).toEqual([
    ['emit', 7, '{}'],
    ['console', 7, 'log', 'text'],
    ['respond', 7, '{}', 'body'],
    ['db', 'key', null],
    ['db', 'key', '1'],
    ['done', 7, null],
    ['timer', 1, 50, 7],
    ['clearTimer', 1],
    ['ask', 1, 7, '{}', body],
    ['ask', 2, 7, '{}', undefined],
    ['pull', 1],
    ['abort', 1],
    ['unref', 1],
  ]);
});

it('joins a text that comes in pieces, and refuses invalid pieces', () => {
  const { owner, seen } = recorder();
  receive(owner, 1, 7, true, undefined, undefined, 'ab', 'c');
  receive(owner, 2, 7, 'log', true, undefined, 'ab', 'c');
  expect(seen).toEqual([
    ['emit', 7, 'abc'],
    ['console', 7, 'log', 'abc'],
  ]);
  seen.length = 0;
  receive(owner, 1, 7, '{}', undefined, undefined, 'ab');
  receive(owner, 1, 7, true, undefined, undefined, 1);
  receive(owner, 1, 7, true, undefined, undefined, 'x'.repeat(pieceUnits + 1));
  receive(owner, 1, 7, true, undefined, undefined, ...Array.from({ length: piecesMax + 1 }, () => 'x'));
  receive(owner, 1, 7, true);
  expect(seen).toEqual(Array.from({ length: 5 }, () => ['tampered']));
});

const MiB = 1024 * 1024;
const long = (units: number): string => 'x'.repeat(units);

/** The arguments as the host receives them: long texts are in pieces. */
function sent(args: readonly unknown[]): readonly unknown[] {
  const at = args.findIndex((arg) => typeof arg === 'string' && arg.length > pieceUnits);
  if (at < 0) return args;
  const text = String(args[at]);
  const pieces = Array.from({ length: Math.ceil(text.length / pieceUnits) }, (_, nth) =>
    text.slice(nth * pieceUnits, (nth + 1) * pieceUnits),
  );
  const named = Array.from({ length: 5 }, (_, nth) => (nth === at ? true : args[nth]));
  return [...named, ...pieces];
}

it.each<[string, readonly unknown[]]>([
  ['an id that is a text', [1, '7', '{}']],
  ['an id that is no whole number', [1, 0.5, '{}']],
  ['an emit that is no text', [1, 7, {}]],
  ['an emit of more than a MiB', [1, 7, long(MiB + 1)]],
  ['a level that is no text', [2, 7, 1, 'text']],
  ['a level of many letters', [2, 7, long(17), 'text']],
  ['a line that is no text', [2, 7, 'log', {}]],
  ['a line of more than a MiB', [2, 7, 'log', long(MiB + 1)]],
  ['a head of a response that is no text', [3, 7, {}, 'body']],
  ['a head of a response of more than 64 KiB', [3, 7, long(64 * 1024 + 1), 'body']],
  ['a body of a response that is no text', [3, 7, '{}', {}]],
  ['a body of a response of more than 8 MiB', [3, 7, '{}', long(8 * MiB + 1)]],
  ['a key of the db that is no text', [4, 7, {}, null]],
  ['a value of the db that is no text', [4, 7, 'key', 1]],
  ['a value of the db of more than a MiB', [4, 7, 'key', long(MiB + 1)]],
  ['an error that is no text', [5, 7, {}]],
  ['an error of more than a MiB', [5, 7, long(MiB + 1)]],
  ['a delay below zero', [6, 7, -1, 7]],
  ['a delay that is no number', [6, 7, '1', 7]],
  ['a delay without end', [6, 7, Infinity, 7]],
  ['a timer of nobody', [6, 7, 1, undefined]],
  ['a request of nobody', [8, 7, '1', '{}', undefined]],
  ['a request that is no text', [8, 7, 7, {}, undefined]],
  ['a request that is too long', [8, 7, 7, long(requestHeadUnitsMax + 1), undefined]],
  ['a body of a request that is no buffer', [8, 7, 7, '{}', 'body']],
  ['a message of a kind that there is not', [99, 7]],
])('reports %s', (_what, args) => {
  const { owner, seen } = recorder();
  receive(owner, ...sent(args));
  expect(seen).toEqual([['tampered']]);
});

it('reports a message of any other shape, and never throws', () => {
  const anything = fc.oneof(fc.anything(), fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  const property = fc.property(fc.array(anything, { maxLength: 9 }), (args) => {
    const { owner, seen } = recorder();
    receive(owner, ...args);
    return seen.every(isWellFormed);
  });
  expect(() => fc.assert(property)).not.toThrow();
});

function isWellFormed([name, id, a, b, c]: readonly unknown[]): boolean {
  if (name === 'tampered') return id === undefined;
  if (name === 'db') return typeof id === 'string' && (a === null || typeof a === 'string');
  if (!Number.isSafeInteger(id)) return false;
  if (name === 'emit') return typeof a === 'string';
  if (name === 'console' || name === 'respond') return typeof a === 'string' && typeof b === 'string';
  if (name === 'done') return a === null || typeof a === 'string';
  if (name === 'ask')
    return Number.isSafeInteger(a) && typeof b === 'string' && (c === undefined || c instanceof ArrayBuffer);
  if (name === 'pull' || name === 'abort') return true;
  return name === 'timer' ? Number(a) >= 0 : name === 'clearTimer';
}
