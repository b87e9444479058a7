// Starts one runner process, sends it orders, receives its messages, and kills it when it falls silent.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../../primitives/packages/package-folder.ts';
import { runsFromSource } from '../guest-bundle.ts';
import { beatMs } from '../runner-protocol.ts';
import type { FromRunner, RunnerConfig, ToRunner } from '../runner-protocol.ts';

/** More than two missed beats; no operation that a component can start blocks a runner's own thread for so long. */
const silenceMaxMs = 3 * beatMs;
/** Starting takes 150 ms on an idle machine. */
export const startTimeoutMs = 20_000;
/** A tenth of the weight of other processes: little on a busy machine, but enough for its beats to be on time. */
const yieldingNiceness = 10;
/** Characters kept of a dying process's output: V8 prints the fault first, Node after the line of code. */
const stderrUnitsMax = 4_000;
/** Characters of the fault that are reported; a native stack follows. */
const faultUnitsMax = 300;

const adapterFile = fileURLToPath(import.meta.url);
const adapterDir = dirname(dirname(adapterFile));
/** The packages that a runner imports, directly and indirectly. */
const packages = [
  'isolated-vm',
  'node-gyp-build',
  'undici',
  'ipaddr.js',
  // The domain uses it to check a timer's cron expression in a manifest.
  'croner',
  // The report of a failed run contains its request's body, which can be a form.
  ...['headers', 'multipart-parser'].map((name) => `@remix-run/${name}`),
  ...['trace-mapping', 'resolve-uri', 'sourcemap-codec'].map((name) => `@jridgewell/${name}`),
];

/** Node flags that allow a runner to read its own code and `files`, and give it no other access to the machine. */
export function permissionFlags(files: readonly string[]): string[] {
  const readable = [
    join(adapterDir, '*'),
    join(adapterDir, '../../domain/*'),
    join(adapterDir, '../../egress/*'),
    join(adapterDir, '../../primitives/*'),
    ...packages.map((name) => join(packageFolder(name, adapterFile), '*')),
    ...files,
  ];
  // Packages are read by the paths above, even if these contain links.
  const links = '--preserve-symlinks';
  // The warning is that native code could bypass this; only isolated-vm is native, and components cannot call it.
  const flags = ['--permission', links, '--allow-addons', '--allow-worker', '--disable-warning=SecurityWarning'];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`)];
}

/** The fault in a dying process's output: the error that Node prints, with the permission that was missing. */
function faultIn(output: string): string {
  const error = /^\w*Error\b.*$/m.exec(output)?.[0];
  const resource = /\bresource: '[^']*'/.exec(output)?.[0];
  const fault = error === undefined ? output : [error, ...(resource === undefined ? [] : [resource])].join(' ');
  return fault
    .replace(/[\s#]+/g, ' ')
    .trim()
    .slice(0, faultUnitsMax);
}

/** glibc's default. Setting it disables the dynamic threshold, so that memory of freed large buffers is returned. */
const mallocTrimBytes = 128 * 1024;

/** With more arenas than computing processors, memory that one thread frees is not reused by others. */
const mallocArenasMax = 2;

/** In MiB, of Node's own heap; isolates have their own limit. Small, because orders and reports are short-lived. */
const semiSpaceMaxMiB = 4;

/** Threads that look up host names; a bad name blocks one for seconds, and libuv's 4 would soon all be blocked. */
const lookupThreads = 16;

/** None of the product's variables; without `LIBC` the native loader would look for Alpine's release file itself. */
export const runnerEnv = (): Record<string, string> => ({
  LIBC: existsSync('/etc/alpine-release') ? 'musl' : 'glibc',
  MALLOC_TRIM_THRESHOLD_: String(mallocTrimBytes),
  MALLOC_ARENA_MAX: String(mallocArenasMax),
  UV_THREADPOOL_SIZE: String(lookupThreads),
});

/** Node itself reads the file before it drops permissions. */
const caEnv = (file: string | undefined): Record<string, string> =>
  file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };

/** Signals that other processes send; V8 ends itself with others, and prints the reason. */
const externalSignals: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

export interface RunnerEvents {
  onMessage(message: FromRunner): void;
  /** Called once, as the last call. */
  onDeath(death: ProcessDeath): void;
}

export interface ProcessDeath {
  readonly reason: string;
  /** Whether a component might not be the cause: the process was killed from outside, fell silent, or never started. */
  readonly isDoubtful: boolean;
}

export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #events: RunnerEvents;
  readonly #rssMax: number;
  #outbox: ToRunner[] = [];
  #lastMessageAt = performance.now();
  readonly #started = Promise.withResolvers<void>();
  #hasStarted = false;
  #reason: string | undefined;
  #isDoubtful = false;
  #dead = false;
  #stderr = '';

  constructor(config: RunnerConfig, events: RunnerEvents) {
    this.#events = events;
    this.#rssMax = config.limits.rssHardBytes;
    const files = [config.bundlePath, ...(config.snapshotPath === undefined ? [] : [config.snapshotPath])];
    const script = join(adapterDir, 'runner', runsFromSource ? 'main.ts' : 'main.js');
    const { proxy, ...egress } = config.egress;
    this.#child = fork(script, [JSON.stringify({ ...config, egress } satisfies RunnerConfig)], {
      execArgv: [`--max-semi-space-size=${semiSpaceMaxMiB}`, ...permissionFlags(files)],
      env: { ...runnerEnv(), ...caEnv(egress.authoritiesFile) },
      // JSON is faster than structured cloning for texts (docs/reference/runtime.md, "Costs").
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#listen();
    if (proxy !== undefined) this.send({ type: 'proxy', proxy });
    if (config.yields === true) this.#lowerPriority();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Resolves when the process handles orders at once, or has died. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  send(order: ToRunner): void {
    if (this.#outbox.push(order) === 1) setImmediate(() => this.#flush());
  }

  /** Call regularly. `stalledMs`: how long the product's own thread was blocked, which is not the runner's fault. */
  check(stalledMs: number): void {
    const silentMs = Math.round(performance.now() - this.#lastMessageAt - stalledMs);
    if (silentMs <= (this.#hasStarted ? silenceMaxMs : startTimeoutMs)) return;
    this.#isDoubtful = true;
    this.kill(`it has been silent for ${silentMs} ms`);
  }

  /** Reports the death at once, without waiting for the process to exit. */
  kill(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
    this.#handleDeath();
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (batch) => this.#receive(batch as unknown as readonly FromRunner[]));
    child.on('error', (error) => {
      this.#reason ??= error.message;
      if (child.pid === undefined) this.#handleDeath();
    });
    let hasExited = false;
    child.on('exit', (code, signal) => {
      hasExited = true;
      if (this.#reason === undefined) this.#isDoubtful = signal !== null && externalSignals.has(signal);
      this.#reason ??= `it ended with ${signal ?? `code ${code}`}`;
      if (!child.connected) this.#handleDeath();
    });
    // Emitted after the runner's last message, before or after its exit.
    child.on('disconnect', () => {
      child.kill('SIGKILL');
      if (hasExited) this.#handleDeath();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(0, stderrUnitsMax);
    });
  }

  /** Call before the process starts threads, which inherit the priority. Has no effect where it is forbidden. */
  #lowerPriority(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, yieldingNiceness);
    } catch {
      return;
    }
  }

  #flush(): void {
    const batch = this.#outbox;
    this.#outbox = [];
    // An error here is followed by 'exit' or 'error', which report the death.
    if (!this.#dead && this.#child.connected) this.#child.send(batch, () => {});
  }

  #receive(batch: readonly FromRunner[]): void {
    this.#lastMessageAt = performance.now();
    this.#hasStarted = true;
    this.#started.resolve();
    for (const message of batch) {
      if (this.#dead) return;
      this.#events.onMessage(message);
      if (message.type === 'unrecoverable') this.kill(message.reason);
      else if (message.type === 'beat' && message.rssBytes > this.#rssMax) this.kill('it uses too much memory');
    }
  }

  #handleDeath(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#started.resolve();
    const fault = faultIn(this.#stderr);
    this.#events.onDeath({
      reason: `${this.#reason ?? 'it ended'}${fault ? `: ${fault}` : ''}`,
      isDoubtful: !this.#hasStarted || (this.#isDoubtful && fault === ''),
    });
  }
}
