// Asks delivery to compile a transform or try it on an event, and waits for the result.
import { partitionOf } from '../../../domain/flow.ts';
import type { TransformRequest } from '../../../domain/delivery/transform/messages.ts';
import type { Log, Reply } from '../../../log/log.ts';
import type { Caller } from '../control/api-keys.ts';
import { DeliveryRequests } from '../control/waiting/delivery-requests.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import { unavailable } from '../http/api-problem.ts';
import { requestRecord } from '../commands/request-record.ts';

export type TrialOutcome = Extract<Reply, { type: 'TransformTried' }>['outcome'];

/** Each waiting request holds at most half a MiB. */
const waitingMax = { all: 100, each: 16 };

export type TrialInput = Omit<TransformRequest['data'], 'replyTo'> & { readonly caller: Caller };

export interface TransformTrialsOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly limits: GatewayLimits;
}

export class TransformTrials {
  readonly #options: TransformTrialsOptions;
  readonly #requests: DeliveryRequests<'TransformTried'>;

  constructor(options: TransformTrialsOptions) {
    this.#options = options;
    const tooManyMessage = 'Too many transforms wait to be tried.';
    this.#requests = new DeliveryRequests({
      ...options,
      type: 'TransformTried',
      slotLimits: waitingMax,
      tooManyMessage,
    });
  }

  open(): void {
    this.#requests.open();
  }

  close(): void {
    this.#requests.close();
  }

  /** Throws TooManyWaiting, or ApiProblem 503 if delivery does not answer in time, or PortError. */
  async run(input: TrialInput): Promise<TrialOutcome> {
    const { log, limits } = this.#options;
    const partition = partitionOf(input.emitterId, log.partitions);
    const answer = await this.#requests.send(partition, this.#record(input), limits.trialMs);
    if (answer === undefined) throw unavailable('Delivery, which runs transforms, did not answer in time.');
    return answer.outcome;
  }

  #record({ caller, ...data }: TrialInput): TransformRequest {
    const { ambient, instanceId } = this.#options;
    const message = { type: 'TransformTrialRequested', data: { ...data, replyTo: instanceId } } as const;
    return requestRecord(ambient, caller, { key: data.subscriptionId, ...message });
  }
}
