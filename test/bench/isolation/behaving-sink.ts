// A receiver in its own process that behaves as the path says, and reports to its parent how late each event was.
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One accepted event: its number, its arrival in epoch milliseconds, and the milliseconds since its emission. */
export type AcceptedEvent = readonly [n: number, at: number, lateMs: number];

interface EmittedEvent {
  readonly n: number;
  readonly at: number;
}

const slowMs = 5_000;
/** `/flaky` fails the first attempt of each event whose number is a multiple of this. */
const flakyEvery = 25;
const reportEveryMs = 50;
let accepted: AcceptedEvent[] = [];
const failed = new Set<number>();
/** Paths that hang from now on. */
const hanging = new Set<string>();

const respond = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-length': '2' }).end('ok');
};

function handle(path: string, { n, at }: EmittedEvent, response: ServerResponse): void {
  if (path.startsWith('/hang') || hanging.has(path)) return;
  if (path.startsWith('/slow')) return void setTimeout(() => respond(response, 200), slowMs);
  if (path === '/flaky' && n % flakyEvery === 0 && !failed.has(n)) {
    failed.add(n);
    return respond(response, 500);
  }
  const now = performance.timeOrigin + performance.now();
  if (path === '/ok' || path === '/flaky') accepted.push([n, now, now - at]);
  respond(response, 200);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    handle(request.url ?? '/', JSON.parse(Buffer.concat(chunks).toString()) as EmittedEvent, response),
  );
});
setInterval(() => {
  if (accepted.length > 0) process.send?.({ taken: accepted });
  accepted = [];
}, reportEveryMs);
process.on('message', ({ hang }: { hang: string }) => hanging.add(hang));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
