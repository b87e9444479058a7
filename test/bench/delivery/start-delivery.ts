// Starts the delivery stage on the log of a bench.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Log } from '../../../libs/log/log.ts';
import { FakeTransformer } from '../../../libs/sandbox/transformer.fake.ts';
import { DeliveryStage } from '../../../libs/stages/delivery/index.ts';
import { StageLoop } from '../../../libs/stages/loop/stage-loop.ts';
import type { Webhook } from '../../../libs/webhooks/webhook.ts';
import { masterKey } from './records.ts';

/** Returns the loop, which the caller must stop; an error in it ends the bench. */
export function startDelivery(log: Log, webhook: Webhook): StageLoop {
  const ambient = { now: () => Date.now(), randomBytes: (bytes: number) => randomBytes(bytes) };
  const stage = new DeliveryStage({ webhook, transformer: new FakeTransformer(), masterKey, ambient, logError: fail });
  const loop = new StageLoop(stage, log, pino({ level: 'silent' }));
  loop.start(fail);
  return loop;
}

function fail(error: unknown): never {
  throw new Error('delivery failed', { cause: error });
}
