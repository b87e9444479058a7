// Data stores: appends a request to the log, and returns the reply of the store's owner.
import { conflictMessage } from '../../../domain/definition/recorded-requests.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import type { StoreRequest } from '../../../domain/store/messages.ts';
import type { StoreAnswer, StoreQuestion } from '../../../domain/store/question.ts';
import type { Log } from '../../../log/log.ts';
import { SharedSlots } from '../../../primitives/sharing/shared-slots.ts';
import type { Caller } from '../control/api-keys.ts';
import type { LogWatch } from '../control/log-watch.ts';
import { Waiters } from '../control/waiting/waiters.ts';
import type { GatewayLimits, GatewayOptions } from '../gateway-options.ts';
import {
  ApiProblem,
  invalidRequest,
  notFound,
  tooManyRequests,
  unavailable,
  unknownOutcome,
} from '../http/api-problem.ts';
import type { WorkspaceSecrets } from '../secrets/workspace-secrets.ts';
import { requestRecord } from '../commands/request-record.ts';

/** Each waiting request holds at most one value. */
const waitingMax = { all: 1_000, each: 200 };

type StoreRefusal = Extract<StoreAnswer, { readonly refused: string }>;
export type StoreResult = Exclude<StoreAnswer, StoreRefusal>;

export interface DataStoreClientOptions extends Pick<GatewayOptions, 'ambient' | 'instanceId'> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly secrets: WorkspaceSecrets;
  readonly limits: Pick<GatewayLimits, 'outcomeMs'>;
}

export class DataStoreClient {
  readonly #options: DataStoreClientOptions;
  readonly #waiters = new Waiters<Sealed | null>();
  readonly #slots = new SharedSlots(waitingMax);
  #stopReceiving: (() => void) | undefined;

  constructor(options: DataStoreClientOptions) {
    this.#options = options;
  }

  open(): void {
    const { log, instanceId } = this.#options;
    this.#stopReceiving = log.onReply(instanceId, (reply) => {
      if (reply.type === 'DataStoreAnswered') this.#waiters.settle(reply.requestId, reply.answer);
    });
  }

  /** Ends all waiting requests with an unknown outcome. */
  close(): void {
    this.#stopReceiving?.();
    this.#waiters.closeAll();
  }

  /** Throws ApiProblem: 404, 400, 426, 429, 503; and PortError. */
  async ask(caller: Caller, question: StoreQuestion): Promise<StoreResult> {
    const { workspace } = caller;
    if (!this.#slots.tryAcquire(workspace)) throw tooManyRequests('Too many requests to data stores wait.');
    try {
      const answer = await this.#request(caller, question);
      if (typeof answer !== 'object') throw unknownOutcome();
      if (answer === null) throw unavailable('The data key of this workspace is not on the log.');
      const result = this.#options.secrets.unseal(workspace, answer) as unknown as StoreAnswer;
      if ('refused' in result) throw problemOf(result);
      return result;
    } finally {
      this.#slots.release(workspace);
    }
  }

  /** Undefined: the log, which brings the answer, was lost. */
  async #request(caller: Caller, question: StoreQuestion): Promise<Sealed | null | 'timed_out' | 'closed' | undefined> {
    const { ambient, instanceId, log, limits, secrets, watch } = this.#options;
    const { workspace } = caller;
    const id = idFromBytes('req', ambient.randomBytes(idBytes));
    const data = { question: secrets.seal(workspace, question), replyTo: instanceId };
    const message = { type: 'DataStoreRequested', data } as const;
    const record: StoreRequest = requestRecord(ambient, caller, { key: workspace, id, ...message });
    // Waits before it sends, since the answer can arrive before the acknowledgement.
    const answer = this.#waiters.wait(id, limits.outcomeMs);
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(workspace, log.partitions), record });
      return await watch.whileLogAnswers(answer);
    } finally {
      this.#waiters.settle(id, 'closed');
    }
  }
}

function problemOf({ refused, message }: StoreRefusal): Error {
  switch (refused) {
    case 'store_not_found':
      return notFound();
    case 'store_full':
      return new ApiProblem(426, 'store_full', `${message}.`);
    case 'store_removed':
      return new ApiProblem(409, 'idempotency_conflict', conflictMessage);
    case 'invalid':
      return invalidRequest(message);
    default:
      return unavailable(message);
  }
}
