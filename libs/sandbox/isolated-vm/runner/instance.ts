// Runs the component of one source in its isolate: its invocations, timers and unsaved db writes, within their limits.
import type { InvocationEnd } from '../../sandbox.ts';
import type { FromRunner, InvokeOrder, LoadOrder } from '../runner-protocol.ts';
import type { SandboxLimits } from '../sandbox-limits.ts';
import { wallTimeFactor, wallMs } from '../sandbox-limits.ts';
import { Call, ConsoleBuffer } from './call/call.ts';
import { IsolateCalls } from './call/isolate-calls.ts';
import { DbWrites } from './call/db-writes.ts';
import { endedMessages, lostMessage } from './call/ended-message.ts';
import { UnfinishedWarning } from './call/unfinished-warning.ts';
import { errorJson, limitError } from './error-json.ts';
import { toGuest } from '../wire.ts';
import { GuestIsolate } from './isolate/isolate.ts';
import type { IsolateTemplate } from './isolate/isolate.ts';
import type { ivmTypes } from './isolate/isolated-vm.ts';
import type { MailboxOwner } from './isolate/mailbox.ts';
import type { Network } from './network/network.ts';
import { OpenRequests } from './network/open-requests.ts';
import type { RequestsOwner } from './network/open-requests.ts';
import { readObject } from './guest-output/json.ts';
import { Positions } from './guest-output/positions.ts';
import { IsolateTimers } from './timers.ts';
import { IsolateTurns } from './isolate-turns.ts';

/** What a runner provides to its instances. */
export interface InstanceHost {
  readonly limits: SandboxLimits;
  readonly template: IsolateTemplate;
  readonly network: Network;
  /** Sends an invocation's request to a data store and returns the answer; both are JSON texts. */
  askStore(id: number, text: string): Promise<string>;
  send(message: FromRunner): void;
  /** Reports that the process cannot be used any more. */
  unrecoverable(reason: string, sourceId?: string): void;
}

/** After dispose every turn settles within some milliseconds, or never (docs/reference/runtime.md, "Ends"). */
const settleMs = 3_000;

export class Instance implements MailboxOwner {
  readonly sourceId: string;
  readonly revision: number;
  readonly memoryMb: number;
  readonly #outOfMemory: string;
  readonly #host: InstanceHost;
  readonly #isolate: GuestIsolate;
  readonly #calls: IsolateCalls;
  /** Runs that wait for an earlier run; the product limits their number. */
  readonly #followers: InvokeOrder[] = [];
  #activeRuns = 0;
  readonly timers: IsolateTimers;
  readonly requests: OpenRequests;
  readonly #unfinishedWarning: UnfinishedWarning;
  readonly #loadConsole: ConsoleBuffer;
  readonly #writes: DbWrites;
  readonly #positions: Positions;
  readonly #turns: IsolateTurns;
  #ended = false;
  /** Resolves with the error of loading as JSON, or undefined. */
  readonly loaded: Promise<string | undefined>;

  constructor(host: InstanceHost, order: InvokeOrder, load: LoadOrder) {
    this.#host = host;
    this.sourceId = order.sourceId;
    this.revision = order.revision;
    this.#writes = new DbWrites(host.limits.guest);
    this.#positions = new Positions(load.map);
    this.#loadConsole = new ConsoleBuffer(host.limits.guest.consoleBytes);
    this.timers = new IsolateTimers(host.limits.guest.timersMax, (id, owner) => this.#turn(owner, toGuest.timer, id));
    this.requests = new OpenRequests(this.#asRequestsOwner(), this.sourceId, host.network, host.limits.guest);
    this.#unfinishedWarning = new UnfinishedWarning(this.timers, this.requests);
    const { memoryMb = host.template.memoryMb } = order;
    this.memoryMb = memoryMb;
    this.#outOfMemory = limitError('memory', memoryMb);
    this.#isolate = new GuestIsolate({ ...host.template, memoryMb }, () => this.#handleCatastrophe());
    this.#turns = new IsolateTurns(() => this.#isolate.queuedMs);
    this.#calls = new IsolateCalls(() => this.#isolate.cpuNs);
    this.loaded = this.#load(load.js, load.db);
  }

  get isIdle(): boolean {
    return this.#calls.size + this.#followers.length === 0;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  invoke(order: InvokeOrder): void {
    if (order.follows && this.#activeRuns > 0) this.#followers.push(order);
    else void this.#begin(order);
  }

  async #begin(order: InvokeOrder): Promise<void> {
    if (order.what === 'run') this.#activeRuns++;
    const call = new Call(order, this.#host.limits);
    this.#calls.add(call);
    const limitMs = wallMs(this.#host.limits, order.what, order.runTimeoutMs);
    call.wallTimer = setTimeout(() => this.#endAtLimit(call, 'timed_out', limitError('wall', limitMs)), limitMs);
    const failure = await this.loaded;
    if (this.#calls.get(order.id) !== call) return;
    for (const line of this.#loadConsole.lines.splice(0)) call.console.add(line.level, line.text);
    if (failure !== undefined) {
      this.#end(call, 'threw', failure);
      this.dispose();
      return;
    }
    this.#calls.begin(call);
    const { id, what, event, props, isHttp, concurrent, muted, added, onlyBody } = order;
    await this.#turn(id, toGuest.invoke, id, what, event, props, isHttp, concurrent, muted, added, onlyBody);
  }

  /** Call regularly: enforces the limits of time. */
  checkTime(): void {
    if (this.#ended) return;
    this.#checkOverdue();
    if (this.#calls.size === 0) return;
    const { cpuMs } = this.#host.limits;
    for (const call of this.#calls) {
      if (this.#calls.usedMs(call, this.#turns.owner) > cpuMs) {
        this.#endAtLimit(call, 'timed_out', limitError('cpu', cpuMs));
        return;
      }
    }
  }

  /** Ends the isolate; invocations that still run are lost. */
  dispose(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.timers.close();
    this.requests.clear();
    for (const call of this.#calls) this.#end(call, 'lost');
    for (const { id } of this.#followers.splice(0)) this.#host.send(lostMessage(id));
    this.#isolate.dispose();
    if (!this.#turns.isEmpty) setTimeout(() => this.#expectSettled(), settleMs).unref();
  }

  emit(id: number, text: string): void {
    this.#calls.get(id)?.emit(text);
  }

  console(id: number, level: string, text: string): void {
    const call = this.#calls.get(id) ?? (id === 0 ? this.#calls.oldest : undefined);
    if (call) call.console.add(level, text);
    else if (id === 0) this.#loadConsole.add(level, text);
  }

  respond(id: number, head: string, body: string): void {
    const response = this.#calls.get(id)?.respond(head, body);
    if (response) this.#host.send({ type: 'respond', id, response });
  }

  db(key: string, text: string | null): void {
    if (!this.#writes.add(key, text)) this.tampered();
  }

  done(id: number, error: string | null): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.settle(call, error);
    if (call.isConcurrent) call.writes ??= this.#writes.take();
  }

  tampered(): void {
    const { oldest } = this.#calls;
    if (oldest) oldest.tampered = true;
  }

  #asRequestsOwner(): RequestsOwner {
    return {
      callOf: (id) => this.#calls.get(id),
      askStore: (id, text) => this.#host.askStore(id, text),
      sendToGuest: (...turn) => void this.#turn(...turn),
      tampered: () => this.tampered(),
    };
  }

  async #load(js: string, db: string): Promise<string | undefined> {
    try {
      await this.#isolate.boot(this.#host.template, this.sourceId, this);
      return await this.#evaluate(await this.#isolate.compile(js), db);
    } catch (error) {
      this.#handleLoadFailure(error);
      return errorJson(error);
    }
  }

  async #evaluate(module: ivmTypes.Transferable, db: string): Promise<string | undefined> {
    const { loadMs } = this.#host.limits;
    const turn = this.#turns.begin(0, loadMs);
    try {
      const { error } = readObject(
        String(await this.#isolate.turn(loadMs * wallTimeFactor, toGuest.load, 0, module, db, false)),
      );
      return error === undefined ? undefined : JSON.stringify(error);
    } finally {
      this.#turns.end(turn);
    }
  }

  #handleLoadFailure(error: unknown): void {
    const failure = this.#isolate.failureOf(error);
    const call = this.#calls.oldest;
    if (!call || failure === 'uncaught' || failure === 'disposed') return;
    const isLate = failure === 'timed_out';
    this.#endAtLimit(call, failure, isLate ? limitError('load', this.#host.limits.loadMs) : this.#outOfMemory);
  }

  async #turn(owner: number, what: number, id: number, ...args: ivmTypes.Transferable[]): Promise<void> {
    if (this.#ended) return;
    const { sliceMs } = this.#host.limits;
    const turn = this.#turns.begin(owner, sliceMs);
    try {
      await this.#isolate.turn(sliceMs * wallTimeFactor, what, id, ...args);
    } catch (error) {
      this.#handleTurnFailure(owner, error);
    } finally {
      this.#calls.charge(owner);
      this.#turns.end(turn);
    }
    this.#endSettled();
  }

  #handleTurnFailure(owner: number, error: unknown): void {
    const failure = this.#isolate.failureOf(error);
    if (failure === 'disposed') return;
    const culprit = this.#calls.chargedCall(owner);
    if (failure === 'uncaught') culprit?.console.add('error', `Uncaught ${errorJson(error, 'text')}`);
    else if (!culprit) this.dispose();
    else if (failure === 'timed_out')
      this.#endAtLimit(culprit, failure, limitError('slice', this.#host.limits.sliceMs));
    else this.#endAtLimit(culprit, failure, this.#outOfMemory);
  }

  #checkOverdue(): void {
    const turn = this.#turns.overdueTurn();
    if (turn === undefined) return;
    const culprit = this.#calls.chargedCall(turn.owner);
    const limit = turn.owner === 0 ? 'load' : 'slice';
    if (culprit) this.#endAtLimit(culprit, 'timed_out', limitError(limit, turn.limitMs));
    else this.dispose();
  }

  /** Ends an invocation that exceeded a limit, and with it the isolate and all other invocations in it. */
  #endAtLimit(call: Call, end: 'timed_out' | 'out_of_memory', error: string): void {
    if (this.#calls.get(call.id) !== call) return;
    this.#end(call, end, error);
    this.dispose();
  }

  /** Ends the invocations that settled in a turn, after its microtasks, so that all of their emits are included. */
  #endSettled(): void {
    if (this.#ended) return;
    for (const call of this.#calls.takeSettled()) {
      this.#unfinishedWarning.warn(call);
      if (typeof call.done === 'string') this.#end(call, 'threw', call.done);
      else this.#end(call, 'finished');
    }
    if (this.#calls.size === 0 && this.timers.size > 0) {
      // Timers end with the last invocation: their time could not be charged, and their output would be lost.
      this.timers.clear();
      void this.#turn(0, toGuest.idle, 0);
    }
    this.#beginNext();
  }

  /** The guest's turns are sequential, so leftovers of the last run are cleared before the next run's turn. */
  #beginNext(): void {
    if (this.#ended || this.#activeRuns > 0) return;
    const next = this.#followers.shift();
    if (next) void this.#begin(next);
  }

  #end(call: Call, end: InvocationEnd, error?: string): void {
    clearTimeout(call.wallTimer);
    this.requests.endOf(call);
    const cpuMs = this.#calls.usedMs(call, this.#turns.owner);
    this.#calls.remove(call);
    if (call.isRun) this.#activeRuns--;
    const ending = { end, cpuMs, ...(error === undefined ? {} : { error }) };
    for (const message of endedMessages(call, ending, this.#writes, this.#positions)) this.#host.send(message);
  }

  #handleCatastrophe(): void {
    const culprit = this.#calls.oldest;
    if (culprit) this.#end(culprit, 'out_of_memory', this.#outOfMemory);
    this.#host.unrecoverable('V8 could not end an isolate that ran out of memory', this.sourceId);
  }

  #expectSettled(): void {
    if (!this.#turns.isEmpty) this.#host.unrecoverable('a disposed isolate still runs', this.sourceId);
  }
}
