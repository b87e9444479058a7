import { ReadTurns } from './read-turns.ts';

const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

test('a reader of many pages yields to other work', async () => {
  const turns = new ReadTurns();
  let others = 0;
  const other = setInterval(() => others++, 1);
  for (let page = 0; page < 20; page++) {
    await turns.read(() => busy(6));
  }
  clearInterval(other);
  expect(others).toBeGreaterThanOrEqual(10);
});

test('concurrent readers share a turn: each reads at most one page beyond its time', async () => {
  const turns = new ReadTurns();
  let inTurn = 0;
  let most = 0;
  const reader = async (): Promise<void> => {
    for (let page = 0; page < 5; page++) {
      await turns.read(() => busy(6));
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, ++inTurn);
    }
  };
  await Promise.all([reader(), reader(), reader()]);
  expect(most).toBeLessThanOrEqual(2);
});

test('waiting readers take turns, however busy the others are', async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const reader = async (name: string): Promise<void> => {
    for (let page = 0; page < 8; page++)
      await turns.read(() => {
        order.push(name);
        busy(3);
      });
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(reader));
  for (const name of 'abcd') {
    const places = order.flatMap((who, at) => (who === name ? [at] : []));
    for (const [i, place] of places.entries()) expect(place - (places[i - 1] ?? 0)).toBeLessThanOrEqual(4);
  }
});

test('short reads do not yield', async () => {
  const turns = new ReadTurns(() => 0);
  let turned = false;
  setImmediate(() => (turned = true));
  for (let read = 0; read < 10; read++) {
    await turns.read(() => undefined);
  }
  expect(turned).toBe(false);
});

test('time spent on handling the records counts too', async () => {
  let nowMs = 0;
  const turns = new ReadTurns(() => nowMs);
  await turns.read(() => undefined);
  nowMs += 6;
  let turned = false;
  setImmediate(() => (turned = true));
  await turns.read(() => undefined);
  expect(turned).toBe(true);
});
