import { setImmediate as turn } from 'node:timers/promises';
import { PublishTurns, inFlightBytesMax } from './publish-turns.ts';

const half = inFlightBytesMax / 2;

let turns: PublishTurns;
/** The sources whose requests have begun, in this order. */
let begun: string[];
let ends: (() => void)[];
beforeEach(() => {
  turns = new PublishTurns(60_000);
  begun = [];
  ends = [];
});

function publish(sourceId: string, bytes: number, workspace = 'a'): Promise<void> {
  const asked = turns.run({ workspace, sourceId, bytes }, () => {
    begun.push(sourceId);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  asked.catch(() => {});
  return asked;
}

async function endFirst(): Promise<void> {
  ends.shift()?.();
  await turn();
}

test('large requests of a workspace wait while its others are in progress, and another workspace does not', async () => {
  for (let n = 0; n < 5; n++) void publish('large', half);
  void publish('quiet', 10, 'b');
  await turn();
  expect(begun).toEqual(['large', 'large', 'quiet']);
  for (let n = 0; n < 3; n++) await endFirst();
  expect(begun).toEqual(['large', 'large', 'quiet', 'large', 'large']);
});

test('any number of small requests can be in progress', async () => {
  for (let n = 0; n < 10_000; n++) void publish('small', 100);
  await turn();
  expect(begun).toHaveLength(10_000);
});

test('sources of a workspace take turns', async () => {
  for (let n = 0; n < 4; n++) void publish('loud', half);
  void publish('quiet', 10);
  await turn();
  await endFirst();
  await endFirst();
  expect(begun).toEqual(['loud', 'loud', 'loud', 'quiet']);
});

test('a request larger than the bound is published alone, and those after it wait', async () => {
  void publish('first', 10);
  void publish('huge', 2 * inFlightBytesMax);
  void publish('last', 10);
  await turn();
  expect(begun).toEqual(['first']);
  await endFirst();
  expect(begun).toEqual(['first', 'huge']);
  await endFirst();
  expect(begun).toEqual(['first', 'huge', 'last']);
});

test('room that a failed request leaves is taken by the next', async () => {
  const failing = turns.run({ workspace: 'a', sourceId: 'x', bytes: inFlightBytesMax }, () =>
    Promise.reject(new Error('no log')),
  );
  void publish('next', half);
  await expect(failing).rejects.toThrow('no log');
  await turn();
  expect(begun).toEqual(['next']);
});

test('a request whose turn comes too late is refused, and so are those that wait when the service stops', async () => {
  turns = new PublishTurns(0);
  void publish('first', inFlightBytesMax);
  const late = publish('late', half);
  await turn();
  await endFirst();
  await expect(late).rejects.toMatchObject({ status: 429 });

  void publish('first', inFlightBytesMax);
  const waiting = [publish('x', half), publish('x', half), publish('y', half)];
  turns.close();
  for (const each of waiting) await expect(each).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  expect(begun).toEqual(['first', 'first']);
});
