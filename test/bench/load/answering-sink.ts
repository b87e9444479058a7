// A receiver in its own process that answers 200 at once, so that only the sender is measured.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The message to its parent once it listens. */
export interface Listening {
  readonly port: number;
}

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-length': '2' }).end('ok'));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port } satisfies Listening);
});
process.on('disconnect', () => process.exit());
