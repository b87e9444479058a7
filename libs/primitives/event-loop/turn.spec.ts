import { stat } from 'node:fs';
import { setImmediate as loop } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import { afterInput, mapInTurns, Turn } from './turn.ts';

test('a piece is over after a millisecond, and the next one gets another millisecond', async () => {
  const turn = new Turn();
  while (!turn.isOver);
  await turn.next();
  expect(turn.isOver).toBe(false);
});

test('one piece runs per turn of the event loop, and all waiting work takes turns', async () => {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns++) await loop();
  })();
  const pieces: string[] = [];
  const work = async (name: string): Promise<void> => {
    const turn = new Turn();
    for (let piece = 0; piece < 3; piece++) {
      await turn.next();
      pieces.push(`${name}${turns}`);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isDone = true;
  await counting;
  expect(pieces.map(([name]) => name).join('')).toBe('abcabcabc');
  expect(new Set(pieces.map((piece) => piece.slice(1))).size).toBe(pieces.length);
});

test('items are mapped in their order, and others have their turns between items that take long', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  const slow = (item: number): string => {
    const until = performance.now() + 2;
    while (performance.now() < until);
    seen.push(`${item}`);
    return `${item}!`;
  };
  expect(await mapInTurns([1, 2, 3], slow)).toEqual(['1!', '2!', '3!']);
  expect(seen.indexOf('other')).toBeLessThan(3);
});

test('after input, the loop has turned once as a whole', async () => {
  let isFired = false;
  await new Promise<void>((resolve, reject) => {
    // While the loop handles input, a first `setImmediate` runs at once, and due timers only after it.
    stat('.', () => {
      setTimeout(() => (isFired = true), 1);
      for (const from = performance.now(); performance.now() - from < 2;);
      afterInput().then(resolve, reject);
    });
  });
  expect(isFired).toBe(true);
});

test('after a rest, work goes on with a new piece', async () => {
  const turn = new Turn();
  while (!turn.isOver);
  const startedAt = performance.now();
  await turn.pauseThenNext();
  expect(performance.now() - startedAt).toBeGreaterThan(1);
  // On a busy machine the piece can be over before it is checked.
  await until('a new piece', async () => {
    await turn.pauseThenNext();
    return !turn.isOver;
  });
});
