// Keeps the invocations under way in one runner process: matches messages to them, and loses them all when it dies.
import type { Json } from '../../../domain/json.ts';
import type { StoreAnswer } from '../../../domain/store/question.ts';
import type { Bundle } from '../../../packages/packages.ts';
import { isLate } from '../../sandbox.ts';
import type { Emit, Invocation, InvocationOutcome, Capacity } from '../../sandbox.ts';
import { wallMs } from '../sandbox-limits.ts';
import type {
  AskStoreMessage,
  DescribedMessage,
  EmittedMessage,
  EndedMessage,
  FromRunner,
  LoadOrder,
  RunnerConfig,
} from '../runner-protocol.ts';
import { lostOutcome } from './lost-outcome.ts';
import { RunnerCapacity } from './runner-capacity.ts';
import { RunnerProcess, startTimeoutMs } from './runner-process.ts';
import type { ProcessDeath } from './runner-process.ts';

export type Described = Pick<DescribedMessage, 'result' | 'console'>;

interface Pending {
  readonly invocation: Invocation;
  readonly startedAt: number;
  /** Set when it begins there. Until then it waits for its bundle or an earlier run, and cannot be a death's cause. */
  deadlineAt: number | undefined;
  readonly resolve: (outcome: InvocationOutcome) => void;
  /** Whether its source was unloaded meanwhile, and must not be loaded again for it. */
  unloaded: boolean;
  /** The emits that have arrived; they come in parts after its end. */
  readonly emits: Emit[];
}

export interface RunnerDeath extends ProcessDeath {
  /** The sources that were under way in the process. */
  readonly sources: ReadonlySet<string>;
  /** The source that could not be stopped, possibly after its invocation's end. */
  readonly culprit: string | undefined;
}

const noStoreAnswer: StoreAnswer = { refused: 'store_not_found', message: 'The component has no data store' };

/** The port promises an outcome within one second after the wall limit. */
const deadlineGraceMs = 1_000;

export class Runner {
  readonly #process: RunnerProcess;
  readonly #config: RunnerConfig;
  readonly #pending = new Map<number, Pending>();
  readonly #pendingDescribes = new Map<number, (described: Described | undefined) => void>();
  /** By source, what was last loaded there; if it has been dropped since, the runner answers `missing`. */
  readonly #loaded = new Map<string, string>();
  /** By source, the runs that wait for an earlier run. */
  readonly #followers = new Map<string, Pending[]>();
  readonly #capacity: RunnerCapacity;
  #lastId = 0;
  /** By source, the number of invocations that follow no other. */
  readonly #leadingCounts = new Map<string, number>();
  /** The source that made the process unrecoverable, if the process reported it. */
  #culprit: string | undefined;

  constructor(config: RunnerConfig, onDeath: (death: RunnerDeath) => void) {
    this.#config = config;
    this.#capacity = new RunnerCapacity(config.limits.rssSoftBytes);
    this.#process = new RunnerProcess(config, {
      onMessage: (message) => this.#receive(message),
      onDeath: (death) => onDeath({ ...death, sources: this.#loseAll(), culprit: this.#culprit }),
    });
  }

  /** Counts the sources that have invocations under way. */
  get capacity(): Capacity {
    return this.#capacity.capacityWith(this.#leadingCounts.size);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isDead(): boolean {
    return this.#process.isDead;
  }

  get hasStarted(): boolean {
    return this.#process.hasStarted;
  }

  /** Resolves when the process handles orders at once, or has died. */
  get started(): Promise<void> {
    return this.#process.started;
  }

  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#pendingDescribes.size === 0;
  }

  invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    const id = ++this.#lastId;
    const startedAt = performance.now();
    const pending: Pending = { invocation, startedAt, deadlineAt: undefined, resolve, unloaded: false, emits: [] };
    this.#pending.set(id, pending);
    this.#countLeading(invocation, 1);
    if (this.isDead) this.#loseAll();
    else if (isLate(invocation)) this.#lose(id, pending);
    else if (this.#isLoaded(invocation)) this.#begin(id, pending);
    else if (invocation.follows) this.#lose(id, pending);
    else void this.#loadAndOrder(id, invocation);
    return promise;
  }

  /** Undefined if the process died meanwhile. */
  describe({ js, map }: Bundle, memoryMb?: number): Promise<Described | undefined> {
    const { promise, resolve } = Promise.withResolvers<Described | undefined>();
    const id = ++this.#lastId;
    this.#pendingDescribes.set(id, resolve);
    if (this.isDead) this.#loseAll();
    else this.#process.send({ type: 'describe', id, js, map, ...(memoryMb === undefined ? {} : { memoryMb }) });
    return promise;
  }

  unload(sourceId: string): void {
    for (const pending of this.#pending.values()) pending.unloaded ||= pending.invocation.sourceId === sourceId;
    this.drop(sourceId);
  }

  /** Unloads a source that has no invocation under way here. */
  drop(sourceId: string): void {
    if (this.#loaded.delete(sourceId)) this.#process.send({ type: 'unload', sourceId });
  }

  /** Call regularly; see RunnerProcess. */
  check(stalledMs: number): void {
    const now = performance.now();
    for (const { deadlineAt } of this.#pending.values()) {
      if (deadlineAt !== undefined && now - stalledMs > deadlineAt) this.kill('an invocation outlived every limit');
    }
    if (!this.isDead) this.#process.check(stalledMs);
  }

  kill(reason: string): void {
    this.#process.kill(reason);
  }

  #isLoaded(invocation: Invocation): boolean {
    return this.#loaded.get(invocation.sourceId) === loadKeyOf(invocation);
  }

  async #loadAndOrder(id: number, invocation: Invocation): Promise<void> {
    const bundle = await invocation.bundle().catch(() => undefined);
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (!bundle || pending.unloaded || isLate(invocation)) this.#lose(id, pending);
    else if (this.#isLoaded(invocation)) this.#begin(id, pending);
    else {
      this.#loaded.set(invocation.sourceId, loadKeyOf(invocation));
      this.#begin(id, pending, { js: bundle.js, map: bundle.map, db: JSON.stringify(invocation.db()) });
    }
  }

  #lose(id: number, pending: Pending): void {
    this.#remove(id, pending);
    pending.resolve(lostOutcome(performance.now() - pending.startedAt));
  }

  #begin(id: number, pending: Pending, load?: LoadOrder): void {
    const { invocation } = pending;
    if (invocation.follows) this.#followersOf(invocation.sourceId).push(pending);
    else this.#startClock(pending);
    this.#sendInvoke(id, invocation, load);
  }

  #startClock(pending: Pending): void {
    const graceMs = deadlineGraceMs + (this.hasStarted ? 0 : startTimeoutMs);
    const { what, runTimeoutMs } = pending.invocation;
    pending.deadlineAt = performance.now() + wallMs(this.#config.limits, what, runTimeoutMs) + graceMs;
  }

  #followersOf(sourceId: string): Pending[] {
    const followers = this.#followers.get(sourceId) ?? [];
    this.#followers.set(sourceId, followers);
    return followers;
  }

  /** Removes an ended invocation; if it was a run, the clock of the run that follows it starts. */
  #remove(id: number, { invocation }: Pending): void {
    this.#pending.delete(id);
    this.#countLeading(invocation, -1);
    if (invocation.what !== 'run') return;
    const followers = this.#followers.get(invocation.sourceId);
    const next = followers?.shift();
    if (next !== undefined) this.#startClock(next);
    if (followers?.length === 0) this.#followers.delete(invocation.sourceId);
  }

  #countLeading({ sourceId, follows }: Invocation, delta: number): void {
    if (follows) return;
    const count = (this.#leadingCounts.get(sourceId) ?? 0) + delta;
    if (count > 0) this.#leadingCounts.set(sourceId, count);
    else this.#leadingCounts.delete(sourceId);
  }

  #sendInvoke(id: number, invocation: Invocation, load?: LoadOrder): void {
    const { sourceId, revision, what, event, props, isHttp = false, onlyBody = false } = invocation;
    const { secrets = [], follows = false, concurrent = false, muted = false } = invocation;
    const { runTimeoutMs, memoryMb, telling, addedProps = {} } = invocation;
    this.#process.send({
      type: 'invoke',
      id,
      sourceId,
      revision,
      what,
      event: JSON.stringify(event),
      props: JSON.stringify(props),
      added: JSON.stringify(addedProps),
      isHttp,
      onlyBody,
      secrets,
      follows,
      concurrent,
      muted,
      ...(runTimeoutMs === undefined ? {} : { runTimeoutMs }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
      ...(telling === undefined ? {} : { telling }),
      ...(load ? { load } : {}),
    });
  }

  #receive(message: FromRunner): void {
    if (message.type === 'ended') this.#handleEnded(message);
    else if (message.type === 'emitted') this.#handleEmitted(message);
    else if (message.type === 'beat') this.#capacity.update(message.rssBytes, message.isolates);
    else if (message.type === 'respond') this.#pending.get(message.id)?.invocation.onRespond(message.response);
    else if (message.type === 'ask_store') void this.#askStore(message);
    else if (message.type === 'missing') this.#handleMissing(message.id);
    else if (message.type === 'unrecoverable') this.#culprit = message.sourceId;
    else if (message.type === 'described') {
      this.#pendingDescribes.get(message.id)?.(message);
      this.#pendingDescribes.delete(message.id);
    }
  }

  #handleMissing(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (this.#isLoaded(pending.invocation)) this.#loaded.delete(pending.invocation.sourceId);
    void this.#loadAndOrder(id, pending.invocation);
  }

  async #askStore({ id, ask, question }: AskStoreMessage): Promise<void> {
    const { askStore } = this.#pending.get(id)?.invocation ?? {};
    const answer = await askStore?.(JSON.parse(question) as Json);
    this.#process.send({ type: 'store_answered', ask, answer: JSON.stringify(answer ?? noStoreAnswer) });
  }

  #handleEmitted({ id, emits }: EmittedMessage): void {
    const pending = this.#pending.get(id);
    for (const emit of emits) pending?.emits.push(emit);
  }

  #handleEnded({ type: _type, id, ...outcome }: EndedMessage): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#remove(id, pending);
    const { end, durationMs } = outcome;
    if (end !== 'finished' && end !== 'threw' && !isLostFollower(pending, end))
      this.#loaded.delete(pending.invocation.sourceId);
    for (const emit of outcome.emits) pending.emits.push(emit);
    pending.resolve(end === 'lost' ? lostOutcome(durationMs) : { ...outcome, emits: pending.emits });
  }

  /** Loses all invocations, and returns the sources that were under way. */
  #loseAll(): ReadonlySet<string> {
    const sources = new Set<string>();
    const pending = [...this.#pending.values()];
    const describes = [...this.#pendingDescribes.values()];
    this.#pending.clear();
    this.#followers.clear();
    this.#leadingCounts.clear();
    this.#pendingDescribes.clear();
    for (const { invocation, startedAt, deadlineAt, resolve } of pending) {
      if (deadlineAt !== undefined) sources.add(invocation.sourceId);
      resolve(lostOutcome(performance.now() - startedAt));
    }
    for (const resolve of describes) resolve(undefined);
    return sources;
  }
}

/** A lost follower does not mean that the present instance is gone, because another might have been loaded since. */
const isLostFollower = ({ invocation }: Pending, end: InvocationOutcome['end']): boolean =>
  invocation.follows === true && end === 'lost';

/** Another revision or memory size needs another isolate. */
const loadKeyOf = ({ revision, memoryMb = 0 }: Invocation): string => `${revision}/${memoryMb}`;
