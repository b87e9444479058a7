// Asks delivery to compile a transform or try it on an event, and waits for the result.
import { partitionOf } from '../../../domain/flow.ts';
import type { TransformRequest } from '../../../domain/delivery/transform/messages.ts';
import type { Log, Reply } from '../../../log/log.ts';
import type { Caller } from '../control/api-keys.ts';
import { DeliveryQuestions } from '../control/waiting/delivery-questions.ts';
import type { LogWatch } from '../control/log-watch.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import { unavailable } from '../http/api-problem.ts';
import { requestRecord } from '../commands/request-record.ts';

export type Tried = Extract<Reply, { type: 'TransformTried' }>['outcome'];

/** Each waiting request holds at most half a MiB. */
const waitingMax = { all: 100, each: 16 };

export type AskedTrial = Omit<TransformRequest['data'], 'replyTo'> & { readonly caller: Caller };

export interface TransformDeskOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly limits: GatewayLimits;
}

export class TransformDesk {
  readonly #options: TransformDeskOptions;
  readonly #questions: DeliveryQuestions<'TransformTried'>;

  constructor(options: TransformDeskOptions) {
    this.#options = options;
    const tooMany = 'Too many transforms wait to be tried.';
    this.#questions = new DeliveryQuestions({ ...options, type: 'TransformTried', places: waitingMax, tooMany });
  }

  open(): void {
    this.#questions.open();
  }

  close(): void {
    this.#questions.close();
  }

  /** Throws TooManyWaiting, or ApiProblem 503 if delivery does not answer in time, or PortError. */
  async try(asked: AskedTrial): Promise<Tried> {
    const { log, limits } = this.#options;
    const partition = partitionOf(asked.emitterId, log.partitions);
    const answer = await this.#questions.ask(partition, this.#record(asked), limits.trialMs);
    if (answer === undefined) throw unavailable('Delivery, which runs transforms, did not answer in time.');
    return answer.outcome;
  }

  #record({ caller, ...asked }: AskedTrial): TransformRequest {
    const { ambient, instanceId } = this.#options;
    const message = { type: 'TransformTrialRequested', data: { ...asked, replyTo: instanceId } } as const;
    return requestRecord(ambient, caller, { key: asked.subscriptionId, ...message });
  }
}
