// Keeps one invocation under way and its output, outside of the isolate, so that the isolate's end loses nothing.
import { EmitSizer } from '../../../../domain/run/run-emits.ts';
import type { FailureContext } from '../../../../domain/run/errors-report.ts';
import type { ConsoleLine } from '../../../../domain/component/output.ts';
import type { PrintedLine } from '../../../../domain/run/run-text.ts';
import type { Emit, HttpResponse } from '../../../sandbox.ts';
import type { SandboxLimits } from '../../sandbox-limits.ts';
import type { InvokeOrder } from '../../runner-protocol.ts';
import { CallRequests } from './call-requests.ts';
import { readEmit } from '../guest-output/read-emit.ts';
import { readResponse } from '../guest-output/read-response.ts';

const levels: ReadonlySet<unknown> = new Set(['debug', 'log', 'info', 'warn', 'error']);

/** Keeps console lines up to the limit, then one notice. */
export class ConsoleBuffer {
  readonly lines: PrintedLine[] = [];
  readonly #bytesMax: number;
  /** What a line costs besides its text, so that empty lines are limited too. */
  readonly #lineBytes = 16;
  #bytes = 0;
  #isCut = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(level: unknown, text: unknown): void {
    if (this.#isCut || typeof text !== 'string' || !levels.has(level)) return;
    const at = Date.now();
    const bytes = Buffer.byteLength(text) + this.#lineBytes;
    if (this.#bytes + bytes <= this.#bytesMax) {
      this.#bytes += bytes;
      this.lines.push({ level: level as ConsoleLine['level'], text, at });
      return;
    }
    this.#isCut = true;
    const head = Buffer.from(text).subarray(0, Math.max(0, this.#bytesMax - this.#bytes - this.#lineBytes));
    if (head.length > 0)
      this.lines.push({ level: level as ConsoleLine['level'], text: head.toString(), at, cut: true });
    this.lines.push({ level: 'warn', text: `Console output was cut at ${this.#bytesMax} bytes`, at });
  }
}

/** The size of a part of the emits, which is read in one millisecond. */
const partUnitsMax = 64 * 1024;
const partEmitsMax = 512;

type CallOrder = Pick<InvokeOrder, 'id' | 'what' | 'secrets' | 'concurrent'> &
  Partial<Pick<InvokeOrder, 'event' | 'telling'>>;

export class Call {
  readonly id: number;
  readonly isRun: boolean;
  readonly isConcurrent: boolean;
  readonly secrets: readonly string[];
  /** For the report of a failure, the only use of the event's JSON text. */
  readonly reportInput: { readonly telling: FailureContext; readonly event: string } | undefined;
  readonly startedAt = performance.now();
  readonly console: ConsoleBuffer;
  /** Its emits, within the limits of a run. */
  readonly emitSizer = new EmitSizer();
  readonly #parts: Emit[][] = [];
  #partUnits = 0;
  readonly requests: CallRequests;
  readonly #limits: SandboxLimits['guest'];
  #emittedUnits = 0;
  #respondedUnits = 0;
  #responded = false;
  /** Set when the promise of `run` or the hook has settled: the error as JSON, or null. */
  done: string | null | undefined;
  /** Only for a concurrent run: the source's unsaved db writes at the end of the run. */
  writes: readonly (readonly [string, string | null])[] | undefined;
  /** Whether it sent what the guest's own code never sends, so the component has tampered with that code. */
  tampered = false;
  /** The process's processor time when the call began; undefined until then. */
  startCpuMs: number | undefined;
  /** The isolate's processor time that is charged to the call. */
  chargedNs = 0n;
  wallTimer: NodeJS.Timeout | undefined;

  constructor({ id, what, secrets, concurrent, event = 'null', telling }: CallOrder, limits: SandboxLimits) {
    this.id = id;
    this.isRun = what === 'run';
    this.isConcurrent = concurrent;
    this.secrets = secrets;
    this.reportInput = what === 'run' && telling !== undefined ? { telling, event } : undefined;
    this.#limits = limits.guest;
    this.console = new ConsoleBuffer(limits.guest.consoleBytes);
    this.requests = new CallRequests(limits.network);
  }

  /** The guest has made the same checks and thrown to the component, so a violation here means tampering. */
  emit(text: string): void {
    const { emitsMax, emittedBytesMax } = this.#limits;
    this.#emittedUnits += text.length;
    const fits = this.emits.length < emitsMax && this.#emittedUnits <= emittedBytesMax && this.#outputFits();
    const emit = fits ? readEmit(text) : undefined;
    if (emit === undefined) this.tampered = true;
    else if (this.emitSizer.accept(emit)) this.#addToPart(emit, text.length);
  }

  get emits(): readonly Emit[] {
    return this.emitSizer.emits;
  }

  /** The same emits, in parts that are each fast to read. */
  get parts(): readonly (readonly Emit[])[] {
    return this.#parts;
  }

  #addToPart(emit: Emit, units: number): void {
    const last = this.#parts.at(-1);
    this.#partUnits += units;
    if (last !== undefined && last.length < partEmitsMax && this.#partUnits <= partUnitsMax) last.push(emit);
    else {
      this.#parts.push([emit]);
      this.#partUnits = units;
    }
  }

  /** The response to pass on, if it is the first and valid; otherwise undefined. */
  respond(head: string, body: string): HttpResponse | undefined {
    if (this.#responded) return undefined;
    const response = readResponse(head, body, this.#limits.responseBodyBytes);
    this.#respondedUnits = response?.bodyBase64.length ?? 0;
    if (response === undefined || !this.#outputFits()) {
      this.tampered = true;
      return undefined;
    }
    this.#responded = true;
    return response;
  }

  #outputFits(): boolean {
    return this.#emittedUnits + this.#respondedUnits <= this.#limits.resultBytesMax + base64PaddingUnits;
  }
}

/** The guest computes the length of base64 without rounding up. */
const base64PaddingUnits = 4;
