// The delivery stage on a log of a bench, and a sink that counts what comes.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { EgressGuard } from '../../../libs/egress/index.ts';
import type { Log } from '../../../libs/log/log.ts';
import { DeliveryStage } from '../../../libs/stages/delivery/index.ts';
import { StageLoop } from '../../../libs/stages/loop/stage-loop.ts';
import { UndiciWebhook } from '../../../libs/webhooks/index.ts';
import { FakeTransformer } from '../../../libs/sandbox/transformer.fake.ts';
import type { Arrival } from './stamping-sink.ts';

export interface Sink {
  readonly port: number;
  /** How many requests it has answered with 200. */
  taken(): number;
  /** Down, it answers 503. */
  setDown(isDown: boolean): void;
  end(): Promise<void>;
}

export async function countingSink(): Promise<Sink> {
  const child = fork(fileURLToPath(new URL(`./stamping-sink${extname(import.meta.url)}`, import.meta.url)));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  let taken = 0;
  child.on('message', ({ arrivals }: { arrivals: readonly Arrival[] }) => (taken += arrivals.length));
  const end = async (): Promise<void> => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { port, taken: () => taken, setDown: (down) => child.send({ down }), end };
}

/** Resolves with what ends it. */
export function startDelivery(log: Log, guard: EgressGuard, masterKey: Buffer): () => Promise<void> {
  const fail = (error: unknown): never => {
    throw new Error('delivery failed', { cause: error });
  };
  const ambient = { now: () => Date.now(), randomBytes: (bytes: number) => randomBytes(bytes) };
  const webhook = new UndiciWebhook({ guard });
  const stage = new DeliveryStage({ webhook, transformer: new FakeTransformer(), masterKey, ambient, logError: fail });
  const loop = new StageLoop(stage, log, pino({ level: 'silent' }));
  loop.start(fail);
  return () => loop.stop(1_000);
}
