// This process stands still while a receiver answers: it was paused, or had no processor.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { EgressGuard } from '../../egress/index.ts';
import { UndiciWebhook } from './undici-webhook.ts';

const totalTimeoutMs = 500;
/** On a thread of its own: it answers while this one stands still. */
const receiver = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    parentPort.postMessage('asked');
    setTimeout(() => response.end('here'), 100);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

const standStill = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('an answer that came while this process stood still counts, however long that was', async () => {
  const thread = new Worker(receiver, { eval: true });
  const webhook = new UndiciWebhook({ guard: new EgressGuard(['127.0.0.0/8']), totalTimeoutMs });
  try {
    const [port] = (await once(thread, 'message')) as [number];
    const request = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
    const outcome = webhook.post(request);
    await once(thread, 'message');
    standStill(2 * totalTimeoutMs);
    expect(await outcome).toMatchObject({ kind: 'answered', status: 200, answer: 'here' });
  } finally {
    await webhook.close();
    await thread.terminate();
  }
});
