import { limits } from '../limits.ts';
import { Appetite } from './appetite.ts';

/** Answers that are as large as was asked for, before they are unpacked. */
function read(appetite: Appetite, unpackedPerByte: number, answers: number): number[] {
  return Array.from({ length: answers }, () => {
    const unpacked = appetite.bytes * unpackedPerByte;
    appetite.learn(unpacked);
    return unpacked;
  });
}

test('what does not shrink is soon asked for by the most', () => {
  const appetite = new Appetite();
  read(appetite, 1, 10);
  expect(appetite.bytes).toBe(limits.fetchBytes);
});

test('what unpacks to a thousand times as much is asked for in small pieces', () => {
  const appetite = new Appetite();
  read(appetite, 1, 10);
  const unpacked = read(appetite, 1_000, 5).slice(1);
  for (const bytes of unpacked) expect(bytes).toBeLessThanOrEqual(limits.fetchUnpackedBytes);
});

test('answers that are not full do not make it grow: a quiet log may be followed by a backlog', () => {
  const appetite = new Appetite();
  for (let i = 0; i < 1_000; i++) appetite.learn(1_000);
  expect(appetite.bytes).toBe(limits.fetchBytesFirst);
});

test('it recovers after a backlog that unpacked to much', () => {
  const appetite = new Appetite();
  read(appetite, 1_000, 5);
  read(appetite, 3, 20);
  expect(appetite.bytes).toBe(limits.fetchBytes);
});
