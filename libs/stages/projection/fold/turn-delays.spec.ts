import { setImmediate as turn } from 'node:timers/promises';
import type { TopicName } from '../../../domain/flow.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import type { Page } from '../../../log/index.ts';
import { waitForEventsSent } from './turn-delays.ts';

const bounds = { recordsMax: 4, bytesMax: 1_000 };

function pageOf(topic: TopicName, count: number): Page {
  const records = Array.from({ length: count }, (_, offset) => ({
    ...recordOf('Tested', { offset }),
    topic,
    partition: 0,
    offset,
  }));
  return { topic, partition: 0, records, next: count };
}

async function isOverAfterTurns(pages: readonly Page[], turns: number): Promise<boolean> {
  let over = false;
  void waitForEventsSent(pages, bounds).then(() => (over = true));
  for (let i = 0; i < turns; i++) await turn();
  return over;
}

test('new events have a whole turn of the event loop before they are written to the views', async () => {
  const pages = [pageOf('runs', 1), pageOf('channels', 3)];
  expect(await isOverAfterTurns(pages, 1)).toBe(false);
  expect(await isOverAfterTurns(pages, 4)).toBe(true);
});

test('what commands wait for is written at once', async () => {
  expect(await isOverAfterTurns([pageOf('components', 1), pageOf('runs', 1)], 1)).toBe(true);
});

test('a projection that is behind does not wait', async () => {
  expect(await isOverAfterTurns([pageOf('channels', bounds.recordsMax)], 1)).toBe(true);
});

test('an idle turn waits for nothing', async () => {
  expect(await isOverAfterTurns([], 1)).toBe(true);
});
