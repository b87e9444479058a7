// A webhook receiver in its own process that reports to its parent when the first byte of each numbered event arrived.
// While it is set to be down, it answers 503.
import { createServer } from 'node:http';

/** One arrival: the event's number, and the time in epoch milliseconds with fractions. */
export type Arrival = readonly [n: number, at: number];

const reportEveryMs = 50;
let arrivals: Arrival[] = [];
let isDown = false;

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (isDown) return void response.writeHead(503, { 'content-length': '2' }).end('no');
    arrivals.push([(JSON.parse(Buffer.concat(chunks).toString()) as { n: number }).n, at]);
    response.writeHead(200, { 'content-length': '2' }).end('ok');
  });
});

setInterval(() => {
  if (arrivals.length === 0) return;
  process.send?.({ arrivals });
  arrivals = [];
}, reportEveryMs);

process.on('message', (message: { down: boolean }) => (isDown = message.down));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
