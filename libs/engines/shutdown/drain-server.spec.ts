// A server that ends answers the requests in progress, and does not wait for connections that clients keep open.
import { Agent, get } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { createServerDrain } from './drain-server.ts';

let fastify: FastifyInstance;
let drainServer: ReturnType<typeof createServerDrain>;
let release: () => void;
const agent = new Agent({ keepAlive: true });

beforeEach(async () => {
  const waiting = Promise.withResolvers<void>();
  release = waiting.resolve;
  fastify = Fastify({ forceCloseConnections: 'idle' });
  drainServer = createServerDrain(fastify);
  fastify.get('/', async () => {
    await waiting.promise;
    return 'answered';
  });
  await fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => agent.destroy());

const close = async (): Promise<void> => void (await fastify.close());

async function ask(): Promise<{ readonly answer: Promise<IncomingMessage> }> {
  const arrived = once(fastify.server, 'request');
  const request = get({ agent, port: (fastify.server.address() as AddressInfo).port });
  const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => {});
  await arrived;
  return { answer };
}

test('a request under way is answered, and its connection ends with the answer', async () => {
  const { answer } = await ask();
  const ended = drainServer({ close, refuse: async () => {} });
  release();
  expect((await answer).headers.connection).toBe('close');
  await ended;
  expect(fastify.server.listening).toBe(false);
});

test('one that is not answered in time is refused', async () => {
  const { answer } = await ask();
  await drainServer({ close, refuse: async () => release() });
  expect((await answer).headers.connection).toBe('close');
});

test('one that is not even refused is cut off, and holds nothing up', async () => {
  const { answer } = await ask();
  const closed = once(fastify.server, 'close');
  await drainServer({ close, refuse: async () => {} });
  await expect(answer).rejects.toThrow(/hang up/);
  await closed;
  release();
});
