// Finds free ports for the servers that tests start.
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that Linux uses for outgoing connections (32768 and up): one of these that is free now can be in use
 * by a connection when its server starts.
 */
const [lowestPort, portLimit] = [10_240, 32_768];
/** Tries to find a free one of more than 20,000 ports. */
const triesMax = 1_000;

/** Returns a random free port, so that tests that run at the same time get different ones. */
export function freePort(): Promise<number> {
  return findFreePorts(1);
}

/** Returns the first of two consecutive free ports, for two gateways of one product, or a broker and its controller. */
export function freePortPair(): Promise<number> {
  return findFreePorts(2);
}

async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = lowestPort + Math.floor(Math.random() * (portLimit - lowestPort - count));
    const free = await Promise.all(Array.from({ length: count }, (_, next) => isFree(port + next)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no free port between ${lowestPort} and ${portLimit} was found`);
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
