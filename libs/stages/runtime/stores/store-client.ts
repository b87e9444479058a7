// Sends the questions of running components to data stores: a request on the log, which the store's owner answers.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Manifest } from '../../../domain/component/manifest.ts';
import { partitionOf } from '../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { Sealed } from '../../../domain/secrets/sealed.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { StoreRequest } from '../../../domain/store/messages.ts';
import { readQuestion } from '../../../domain/store/question.ts';
import type { StoreAnswer, StoreOp, StoreRefusal } from '../../../domain/store/question.ts';
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Vault } from '../source/vault.ts';

/** The longest wait for an answer, as long as a request to the REST API; the run's own limit continues meanwhile. */
const answerMaxMs = 15_000;
/** The most open questions of a partition: enough for some hundred runs with as many as each is allowed. */
const waitingMax = 2_000;

/** The operations that components may use: only the API creates and removes stores. */
const componentOps: ReadonlySet<StoreOp> = new Set([
  ...(['get', 'has', 'set', 'set_ttl', 'delete', 'clear', 'store', 'keys', 'entries'] as const),
]);

export interface StoreClientOptions {
  readonly log: Pick<CheckedLog, 'request' | 'onReply' | 'partitions'>;
  readonly vault: Vault;
  readonly ambient: Ambient;
}

/** The trigger of the run, from which the request takes its correlation chain. */
type Cause = Pick<StoreRequest, 'id' | 'workspace' | 'correlationId'>;

const refuse = (refused: StoreRefusal, message: string): StoreAnswer => ({ refused, message });

const unansweredRefusal = refuse(
  'unanswered',
  'The data store has not answered in time: a write may have happened all the same',
);

/** The ids of the stores that the props of a component name. */
function storeIdsOf(
  { props }: Pick<Manifest, 'props'>,
  values: JsonObject,
  added: Readonly<Record<string, string>> = {},
): ReadonlySet<string> {
  const names = [
    ...props.filter(({ type }) => type === 'data_store').map(({ name }) => name),
    ...Object.keys(added).filter((name) => added[name] === 'data_store'),
  ];
  return new Set(names.map((name) => values[name]).filter((id) => typeof id === 'string'));
}

export class StoreClient {
  readonly #options: StoreClientOptions;
  readonly #waiting = new Map<string, (answer: Sealed | null | undefined) => void>();
  readonly #replyTo: string;
  readonly #stopListening: () => void;
  #isStopped = false;

  constructor(options: StoreClientOptions) {
    this.#options = options;
    this.#replyTo = idFromBytes('rt', options.ambient.randomBytes(idBytes));
    // Listens from now on, not from the first question: on Kafka its answer would come after all replies since the
    // process started.
    this.#stopListening = options.log.onReply(this.#replyTo, (reply) => {
      if (reply.type === 'DataStoreAnswered') this.#waiting.get(reply.requestId)?.(reply.answer);
    });
  }

  /** The function with which a run with these props asks data stores; undefined: no prop is a data store. */
  askStoreFor(
    cause: Cause,
    manifest: Pick<Manifest, 'props'>,
    { props, addedProps }: Pick<Invocation, 'props' | 'addedProps'>,
  ): Invocation['askStore'] {
    const allowed = storeIdsOf(manifest, props, addedProps);
    return allowed.size === 0 ? undefined : (question) => this.ask(cause, allowed, question);
  }

  /** The ids of all data stores of the workspace; undefined: their owner did not answer in time. */
  async storeIds(cause: Cause): Promise<readonly string[] | undefined> {
    if (this.#isStopped || this.#waiting.size >= waitingMax) return undefined;
    const answer = await this.#request(cause, { op: 'stores' }).catch((error: unknown) => {
      if (error instanceof PortError) return unansweredRefusal;
      throw error;
    });
    return 'stores' in answer ? answer.stores.map(({ id }) => id) : undefined;
  }

  /** Resolves to a refusal if the log does not take the question. `allowed`: ids of the stores that the run may use. */
  async ask(cause: Cause, allowed: ReadonlySet<string>, input: Json): Promise<StoreAnswer> {
    const question = readQuestion(input);
    if (typeof question === 'string') return refuse('invalid', `data store: ${question}`);
    if (!componentOps.has(question.op) || question.op === 'stores' || !allowed.has(question.store))
      return refuse('store_not_found', 'The data store is not one of the props');
    if (this.#isStopped) return unansweredRefusal;
    if (this.#waiting.size >= waitingMax) return refuse('unanswered', 'Too many runs wait for data stores: try again');
    try {
      return await this.#request(cause, question);
    } catch (error) {
      if (error instanceof PortError) return unansweredRefusal;
      throw error;
    }
  }

  /** Call this once the outcomes of runs no longer matter: every open question counts as unanswered. */
  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }

  #unsealAnswer(workspace: string, answer: Sealed): StoreAnswer {
    try {
      return this.#options.vault.open(workspace, answer) as StoreAnswer;
    } catch {
      return refuse('sealed', 'The answer of the data store cannot be opened');
    }
  }

  async #request({ workspace, ...cause }: Cause, question: Json): Promise<StoreAnswer> {
    const { log, vault, ambient } = this.#options;
    const sealed = vault.seal(workspace, JSON.stringify(question));
    if (sealed === null) return refuse('sealed', 'The data key of the workspace is gone');
    const id = idFromBytes('req', ambient.randomBytes(idBytes));
    const message = { type: 'DataStoreRequested', data: { question: sealed, replyTo: this.#replyTo } } as const;
    const chain = { correlationId: cause.correlationId, causationId: cause.id };
    const record = {
      id,
      ...chain,
      key: workspace,
      at: ambient.now(),
      workspace,
      version: versionOf(message),
      ...message,
    };
    const { promise, resolve } = Promise.withResolvers<Sealed | null | undefined>();
    // Set before the request is sent: the answer might come before the acknowledgement.
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), answerMaxMs);
    try {
      await log.request({ topic: 'triggers', partition: partitionOf(workspace, log.partitions), record });
      const answer = await promise;
      return answer === undefined || answer === null ? unansweredRefusal : this.#unsealAnswer(workspace, answer);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}
