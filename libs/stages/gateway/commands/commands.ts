// Sends a command and waits until its outcome is on the log and the views show it.
import type { Ambient } from '../../../domain/ambient.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../domain/id.ts';
import type { Decided, LogRecord } from '../../../domain/message.ts';
import type { MessagesOf } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom, type Actor } from '../../../domain/trace/chain.ts';
import type { Log } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';
import type { ViewStore } from '../../../view-store/view-store.ts';
import { waitForCheckpoint } from '../../../view-store/wait-for-checkpoint.ts';
import type { Caller } from '../control/api-keys.ts';
import type { ControlTail } from '../control/control-tail.ts';
import type { LogWatch } from '../control/log-watch.ts';
import { CommandSlots } from '../control/waiting/command-slots.ts';
import type { SlotKind } from '../control/waiting/command-slots.ts';
import type { Endings, Outcome, OutcomeOf, OutcomeRecord, Outcomes, OutcomeWait } from '../control/waiting/outcomes.ts';
import type { GatewayLimits } from '../gateway-options.ts';
import { unavailable, unknownOutcome } from '../http/api-problem.ts';
import { isRefusal } from './refusals.ts';
import { newRequestId } from './new-request-id.ts';

export type Command<R extends LogRecord = MessagesOf['commands']> = Decided<R> & {
  /** Id of the thing that the command is about. */
  readonly key: string;
};

export interface CommandsOptions {
  readonly log: Log;
  readonly views: ViewStore;
  readonly ambient: Ambient;
  readonly outcomes: Outcomes;
  readonly tail: ControlTail;
  readonly watch: LogWatch;
  readonly limits: GatewayLimits;
}

/** Who sends the command, and in which trace. */
type CommandSender = Pick<Caller, 'workspace' | 'traceparent'> & { readonly actor: Actor };

const changesSource = (type: OutcomeRecord['type']): boolean =>
  type === 'SourceUpdated' || type === 'SourceUpdateRefused';

function slotKindOf({ type }: Command, { installing }: Endings): SlotKind {
  if (type === 'DeleteApiKey') return 'deletesKey';
  if (type === 'EndSession') return 'endsSession';
  return installing === undefined ? 'usual' : 'installing';
}

export class Commands {
  readonly #options: CommandsOptions;
  readonly #slots = new CommandSlots();

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /**
   * The outcome's record, once the views show it; undefined: the process has begun but takes longer than a request
   * should. Throws TooManyWaiting before anything is sent, ApiProblem 503 `unavailable` if no outcome could be read,
   * `unknown_outcome` if nothing is known in time, or PortError. If the client goes away, the wait ends but the command
   * does not, and a command that installs packages keeps its slot until it has ended.
   */
  async send<Type extends OutcomeRecord['type']>(
    caller: Caller,
    command: Command,
    endings: Endings<Type>,
  ): Promise<OutcomeOf<Type> | undefined> {
    const { log, outcomes, tail, watch, limits } = this.#options;
    if (tail.hidesOutcomes) throw unavailable(`This gateway cannot follow the log: ${tail.newerRecord?.message}.`);
    const record = this.#record({ ...caller, actor: caller.keyId }, command);
    const releaseSlot = this.#slots.acquire(slotKindOf(command, endings), caller.workspace);
    const waiting = outcomes.wait(record.correlationId, endings);
    const disconnected = Promise.withResolvers<undefined>();
    const stopListening = caller.onDisconnect?.(() => disconnected.resolve(undefined));
    const finish = (): void => {
      waiting.end();
      releaseSlot();
    };
    let outcome: Outcome | undefined;
    let isInstalling = false;
    try {
      await log.request({ topic: 'commands', partition: 0, record });
      isInstalling = endings.installing !== undefined;
      const waitMs = isInstalling ? limits.installingMs : limits.outcomeMs;
      const settled = Promise.race([waiting.outcome, disconnected.promise]);
      outcome = await watch.whileLogAnswers(withinOr(settled, waitMs, undefined));
      if (outcome === undefined && !waiting.hasBegun()) throw endings.installing?.() ?? unknownOutcome();
    } finally {
      stopListening?.();
      if (isInstalling && outcome === undefined) void this.#waitUntilEnded(waiting).then(finish);
      else finish();
    }
    if (outcome !== undefined) await this.#waitUntilShown(outcome);
    // The waiter resolves only with one of the endings.
    return outcome?.record as OutcomeOf<Type> | undefined;
  }

  /** Sends a command without waiting for its outcome. Throws PortError. */
  async sendWithoutWaiting(sender: CommandSender, command: Command): Promise<void> {
    await this.#options.log.request({ topic: 'commands', partition: 0, record: this.#record(sender, command) });
  }

  /** Resolves when the command has ended: no client waits any more, but the installation continues. */
  async #waitUntilEnded({ outcome }: OutcomeWait): Promise<void> {
    await withinOr(outcome, this.#options.limits.installSlotMs, undefined).catch(() => undefined);
  }

  #record({ workspace, actor, traceparent }: CommandSender, command: Command): MessagesOf['commands'] {
    const { ambient } = this.#options;
    const requestId = newRequestId(ambient);
    return {
      id: idFromBytes('cmd', ambient.randomBytes(idBytes)),
      ...command,
      version: versionOf(command),
      at: ambient.now(),
      workspace,
      ...chainFrom(requestId, actor, traceparent),
    };
  }

  /**
   * Read your writes: waits until the views show the outcome. A refusal waits in two cases: its process had begun,
   * which changes a view, or the request is a repeat, which is answered from the view of the first. If the views lag
   * longer than the limit, the command still succeeds.
   */
  async #waitUntilShown({ record, lastOffset }: Outcome): Promise<void> {
    const endsSource = record.type === 'SourceDeleted' || record.type === 'SourceDeployRefused';
    const { data } = record;
    const reason = 'reason' in data ? data.reason : undefined;
    const revision = 'revision' in data ? (data.revision ?? 0) : 0;
    if (isRefusal(record.type) && !endsSource && revision === 0 && reason !== 'repeated') return;
    await this.#waitUntilPassed(record.topic, record.partition, lastOffset);
    if (endsSource) await this.#waitForCascade();
    else if (changesSource(record.type)) await this.#waitForDefinitions();
  }

  /** Waits for the definition that the endpoint uses: the same append changed it, on another topic. */
  async #waitForDefinitions(): Promise<void> {
    const { tail, limits } = this.#options;
    await tail.waitUntilCaughtUp(limits.viewsMs);
  }

  /** Waits until the views show the end of the source's subscriptions: the same append ended them, on another topic. */
  async #waitForCascade(): Promise<void> {
    await this.#waitForDefinitions();
    const { tail } = this.#options;
    await this.#waitUntilPassed('listeners', 0, tail.lastOffset('listeners', 0));
  }

  async #waitUntilPassed(topic: TopicName, partition: number, offset: number): Promise<void> {
    if (offset < 0) return;
    const { views, limits } = this.#options;
    await waitForCheckpoint(views.live(), { topic, partition, offset }, limits.viewsMs);
  }
}
