import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from './forward.ts';

const signed = { headers: { 'webhook-id': 'msg_1' }, body: '{}' };
const never = new AbortController().signal;

async function outcomeAt(receive: RequestListener, answerMsMax?: number): Promise<object> {
  const server = createServer(receive).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outcome = await forward(signed, `http://127.0.0.1:${port}/`, { endSignal: never, timeoutMs: answerMsMax });
  server.closeAllConnections();
  server.close();
  return outcome;
}

test('the outcome is the status of the answer', async () => {
  expect(await outcomeAt((_, response) => response.writeHead(503).end())).toMatchObject({ status: 503, failure: null });
});

test.each<[failure: string, receive: RequestListener]>([
  ['timeout', () => undefined],
  ['UND_ERR_SOCKET', (request) => request.socket.destroy()],
])('without an answer it is what went wrong: %s', async (failure, receive) => {
  expect(await outcomeAt(receive, 100)).toMatchObject({ status: null, failure });
});

test('for an absent receiver, the failure is the error code of the system', async () => {
  const closedServer = createServer().listen(0, '127.0.0.1');
  await once(closedServer, 'listening');
  const { port } = closedServer.address() as AddressInfo;
  closedServer.close();
  await once(closedServer, 'close');
  const outcome = await forward(signed, `http://127.0.0.1:${port}/`, { endSignal: never });
  expect(outcome).toMatchObject({ status: null, failure: 'ECONNREFUSED' });
});
