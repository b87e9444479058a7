// Ports for the servers that tests start.
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that Linux gives to outgoing connections (32768 and up): of these one that is free now can be somebody's
 * own end of a connection when the server that it was meant for starts.
 */
const [lowest, above] = [10_240, 32_768];
/** Of more than 20,000. */
const mostTries = 1_000;

/** Free now, and drawn at random, so that tests that run at the same time get different ones. */
export function freePort(): Promise<number> {
  return draw(1);
}

/** The first of two in a row, which two gateways of one product take, or a broker and its controller. */
export function freePortPair(): Promise<number> {
  return draw(2);
}

async function draw(inARow: number): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = lowest + Math.floor(Math.random() * (above - lowest - inARow));
    const free = await Promise.all(Array.from({ length: inARow }, (_, next) => isFree(port + next)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${above} was found`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
