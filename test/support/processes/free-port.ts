// Finds free ports for the servers that tests start.
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that Linux uses for outgoing connections (32768 and up): one of these that is free now can be in use
 * by a connection when its server starts.
 */
const [lowest, above] = [10_240, 32_768];
/** Tries to find a free one of more than 20,000 ports. */
const mostTries = 1_000;

/** Returns a random free port, so that tests that run at the same time get different ones. */
export function freePort(): Promise<number> {
  return draw(1);
}

/** Returns the first of two consecutive free ports, for two gateways of one product, or a broker and its controller. */
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
