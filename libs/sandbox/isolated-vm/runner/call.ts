// One invocation that is under way: what it has put out is kept here, outside of the isolate, so that its end loses nothing.
import type { ConsoleLine } from '../../../domain/component/messages.ts';
import type { SandboxLimits } from '../limits.ts';

const levels: ReadonlySet<unknown> = new Set(['debug', 'log', 'info', 'warn', 'error']);

/** Console lines up to the limit; then one notice and nothing more. */
export class ConsoleBuffer {
  readonly lines: ConsoleLine[] = [];
  readonly #bytesMax: number;
  /** What a line costs beside its text, so that empty lines are bounded too. */
  readonly #lineBytes = 16;
  #bytes = 0;
  #cut = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(level: unknown, text: unknown): void {
    if (this.#cut || typeof text !== 'string' || !levels.has(level)) return;
    const at = Date.now();
    const bytes = Buffer.byteLength(text) + this.#lineBytes;
    if (this.#bytes + bytes <= this.#bytesMax) {
      this.#bytes += bytes;
      this.lines.push({ level: level as ConsoleLine['level'], text, at });
      return;
    }
    this.#cut = true;
    const rest = Buffer.from(text).subarray(0, Math.max(0, this.#bytesMax - this.#bytes - this.#lineBytes));
    if (rest.length > 0) this.lines.push({ level: level as ConsoleLine['level'], text: rest.toString(), at });
    this.lines.push({ level: 'warn', text: `Console output was cut at ${this.#bytesMax} bytes`, at });
  }
}

export class Call {
  readonly id: number;
  readonly startedAt = performance.now();
  readonly console: ConsoleBuffer;
  readonly emits: string[] = [];
  readonly #limits: SandboxLimits['guest'];
  #emittedUnits = 0;
  responded = false;
  /** Set when run's promise has settled: JSON of the error, or null. */
  done: string | null | undefined;
  /** The isolate's processor time when this began; set when it begins. */
  cpuFromNs = 0n;
  wallTimer: NodeJS.Timeout | undefined;

  constructor(id: number, limits: SandboxLimits) {
    this.id = id;
    this.#limits = limits.guest;
    this.console = new ConsoleBuffer(limits.guest.consoleBytes);
  }

  /** The guest has checked the same and told the component; here only what it cannot have meant is dropped. */
  emit(text: unknown): void {
    if (typeof text !== 'string' || this.emits.length >= this.#limits.emitsMax) return;
    this.#emittedUnits += text.length;
    if (this.#emittedUnits <= this.#limits.emittedBytesMax) this.emits.push(text);
  }
}
