// Has delivery compile a transform or try it on an event, and waits for what comes of it.
import type { TransformRequest } from '../../../domain/delivery/transform/messages.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import { versionOf } from '../../../domain/shape/version.ts';
import type { Log, Reply } from '../../../log/log.ts';
import { Shares } from '../../../primitives/sharing/shares.ts';
import { Waiters } from '../control/waiting/waiters.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import { tooMany, unavailable } from '../http/api-problem.ts';

export type Tried = Extract<Reply, { type: 'TransformTried' }>['outcome'];

/** Each holds a socket and half a MiB at most; beyond it clients are told to come back. */
const waitingMax = { all: 100, each: 16 };

export type AskedTrial = Omit<TransformRequest['data'], 'replyTo'> & { readonly workspace: string };

export interface TransformDeskOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly limits: () => GatewayLimits;
}

export class TransformDesk {
  readonly #options: TransformDeskOptions;
  readonly #places = new Shares(waitingMax);
  readonly #waiters = new Waiters<Tried>();
  #stopReceiving: (() => void) | undefined;

  constructor(options: TransformDeskOptions) {
    this.#options = options;
  }

  open(): void {
    const { log, instanceId } = this.#options;
    this.#stopReceiving = log.onReply(instanceId, (reply) => {
      if (reply.type === 'TransformTried') this.#waiters.reach(reply.correlationId, reply.outcome);
    });
  }

  close(): void {
    this.#stopReceiving?.();
    this.#waiters.closeAll();
  }

  /** Throws ApiProblem 429, or 503 if delivery does not answer in time, or PortError. */
  async try(asked: AskedTrial): Promise<Tried> {
    const { ambient, watch, limits } = this.#options;
    if (!this.#places.take(asked.workspace)) throw tooMany('Too many transforms wait to be tried.');
    const id = idFromBytes('req', ambient.randomBytes(idBytes));
    // Waits before it sends, since the answer may come before the acknowledgement.
    const outcome = this.#waiters.wait(id, limits().trialMs);
    try {
      await this.#append(id, asked);
      const tried = await watch.whileAnswering(outcome);
      if (typeof tried !== 'object') throw unavailable('Delivery, which runs transforms, did not answer in time.');
      return tried;
    } finally {
      this.#waiters.reach(id, 'closed');
      this.#places.leave(asked.workspace);
    }
  }

  async #append(id: string, { workspace, ...asked }: AskedTrial): Promise<void> {
    const { ambient, instanceId, log } = this.#options;
    const type = 'TransformTrialRequested' as const;
    const data = { ...asked, replyTo: instanceId };
    const envelope = {
      id,
      version: versionOf({ type, data }),
      key: asked.subscriptionId,
      at: ambient.now(),
      workspace,
    };
    const record: TransformRequest = { ...envelope, type, data, correlationId: id, causationId: id };
    await log.request({ topic: 'requests', partition: partitionOf(asked.emitterId, log.partitions), record });
  }
}
