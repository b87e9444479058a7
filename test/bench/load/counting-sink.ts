// A receiver in its own process that counts what it has accepted, and can be set to fail.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Arrival } from './stamping-sink.ts';

export interface Sink {
  readonly port: number;
  /** The number of requests answered with 200. */
  acceptedCount(): number;
  /** While it is down, it answers 503. */
  setDown(isDown: boolean): void;
  end(): Promise<void>;
}

export async function countingSink(): Promise<Sink> {
  const child = fork(fileURLToPath(new URL(`./stamping-sink${extname(import.meta.url)}`, import.meta.url)));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let accepted = 0;
  child.on('message', ({ arrivals }: { arrivals: readonly Arrival[] }) => (accepted += arrivals.length));
  const end = async (): Promise<void> => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { port, acceptedCount: () => accepted, setDown: (down) => child.send({ down }), end };
}
