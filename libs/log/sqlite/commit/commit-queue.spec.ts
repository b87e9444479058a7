import { Worker } from 'node:worker_threads';
import { codeOf } from '../../contract/harness.ts';
import { makeDirectory, type Directory } from '../fixture/directory.ts';
import { prepareFile } from '../file.ts';
import { CommitQueue } from './commit-queue.ts';
import type { AppendOrder } from './order.ts';

let directory: Directory;
let queue: CommitQueue;
beforeEach(async () => {
  directory = makeDirectory();
  prepareFile(directory.file, 4);
  queue = await CommitQueue.start({ file: directory.file, partitions: 4 });
});
afterEach(async () => {
  await queue.close();
  directory.remove();
});

function order(bytes: number): AppendOrder {
  const rows = [{ partition: 0, key: null, count: 1, lines: '{}' }];
  return { kind: 'append', id: queue.nextId(), bytes, topics: [{ topic: 'commands', rows }], marked: null };
}

test('appends are refused while too many bytes wait for the disk, and accepted again afterwards', async () => {
  const half = 65 * 1024 * 1024;
  const first = queue.submit(order(half), ({ firstOffsets }) => firstOffsets);
  expect(await codeOf(queue.submit(order(half), () => 0))).toBe('unavailable');
  expect(await first).toEqual([1]);
  await expect(queue.submit(order(half), ({ firstOffsets }) => firstOffsets)).resolves.toEqual([2]);
});

test('orders submitted before closing are carried out, later ones are refused', async () => {
  const first = queue.submit(order(2), ({ firstOffsets }) => firstOffsets);
  const closed = queue.close();
  expect(await codeOf(queue.submit(order(2), () => 0))).toBe('closed');
  await closed;
  expect(await first).toEqual([1]);
});

test('orders of the same moment are sent to the thread in one message, in their order', async () => {
  const { postMessage } = Worker.prototype;
  let messages = 0;
  Worker.prototype.postMessage = function (this: Worker, ...sent: Parameters<typeof postMessage>): void {
    messages++;
    postMessage.apply(this, sent);
  };
  try {
    const submitted = Array.from({ length: 5 }, () => queue.submit(order(2), ({ firstOffsets }) => firstOffsets));
    expect(await Promise.all(submitted)).toEqual([[1], [2], [3], [4], [5]]);
    expect(messages).toBe(1);
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
});
