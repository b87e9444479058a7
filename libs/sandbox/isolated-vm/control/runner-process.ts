// One runner process as the product sees it: orders go in, messages come out, and silence or death ends it for good.
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

/** A little more than two missed beats: nothing that a component may do blocks a runner's own thread for so long. */
const silenceMaxMs = 3 * beatMs;
/** Starting takes 150 ms on an idle machine. */
export const startMaxMs = 20_000;
/** A tenth of the weight of a process that does not yield: little on a full machine, yet its beats come in time. */
const yieldingNiceness = 10;
/** How much is kept of what a dying process prints: V8 names the fault first, Node after the line of code. */
const lastWordsUnits = 4_000;
/** How much of it is reported: what follows is a native stack. */
const toldUnits = 300;

const adapterFile = fileURLToPath(import.meta.url);
const adapterDir = dirname(dirname(adapterFile));
/** What a runner imports, and what that imports. */
const packages = [
  'isolated-vm',
  'node-gyp-build',
  'undici',
  'ipaddr.js',
  // The domain uses it to check a timer's cron expression, when it checks a manifest.
  'croner',
  // The report of a failed run holds the body that the run was given, which may be a form.
  ...['headers', 'multipart-parser'].map((name) => `@remix-run/${name}`),
  ...['trace-mapping', 'resolve-uri', 'sourcemap-codec'].map((name) => `@jridgewell/${name}`),
];

/** A runner may read its own code and the files listed, and do nothing else to the machine. */
export function permissionFlags(files: readonly string[]): string[] {
  const readable = [
    join(adapterDir, '*'),
    join(adapterDir, '../../domain/*'),
    join(adapterDir, '../../egress/*'),
    join(adapterDir, '../../primitives/*'),
    ...packages.map((name) => join(packageFolder(name, adapterFile), '*')),
    ...files,
  ];
  // Packages are read by the paths above, also when these lead through links.
  const links = '--preserve-symlinks';
  // The warning says that native code could get around this: only isolated-vm is native, and components cannot call it.
  const flags = ['--permission', links, '--allow-addons', '--allow-worker', '--disable-warning=SecurityWarning'];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`)];
}

/** What a dying process says of its end: the error that Node prints, with what it was not allowed to have. */
function faultIn(words: string): string {
  const error = /^\w*Error\b.*$/m.exec(words)?.[0];
  const resource = /\bresource: '[^']*'/.exec(words)?.[0];
  const told = error === undefined ? words : [error, ...(resource === undefined ? [] : [resource])].join(' ');
  return told
    .replace(/[\s#]+/g, ' ')
    .trim()
    .slice(0, toldUnits);
}

/** glibc's own default. Setting it frees what large buffers leave, instead of keeping it for the next of their size. */
const mallocTrimBytes = 128 * 1024;

/** More arenas than processors that compute only keep apart what threads have freed. */
const mallocArenasMax = 2;

/** Of Node's own heap, in MiB; isolates of components have a limit of their own. Orders and reports die young. */
const semiSpaceMaxMiB = 4;

/** Names are looked up on these threads, and a bad one holds its thread for seconds: libuv's 4 are soon all taken. */
const lookupsMax = 16;

/** Nothing of the product's; without `LIBC` the native loader would look for Alpine's release file itself. */
export const runnerEnv = (): Record<string, string> => ({
  LIBC: existsSync('/etc/alpine-release') ? 'musl' : 'glibc',
  MALLOC_TRIM_THRESHOLD_: String(mallocTrimBytes),
  MALLOC_ARENA_MAX: String(mallocArenasMax),
  UV_THREADPOOL_SIZE: String(lookupsMax),
});

/** Node itself reads the file, before it takes permissions away. */
const trust = (file: string | undefined): Record<string, string> =>
  file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };

/** Signals that come from outside: V8 ends itself with others, and prints why; nothing else here does. */
const sentByOthers: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

export interface RunnerEvents {
  onMessage(message: FromRunner): void;
  /** Called once; nothing comes after it. */
  onDeath(death: ProcessDeath): void;
}

export interface ProcessDeath {
  readonly reason: string;
  /** Whether something else may be the cause: it was killed from outside, fell silent, or never started. */
  readonly isDoubtful: boolean;
}

export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #events: RunnerEvents;
  readonly #rssMax: number;
  #outbox: ToRunner[] = [];
  #heardAt = performance.now();
  readonly #started = Promise.withResolvers<void>();
  #hasStarted = false;
  #reason: string | undefined;
  #isDoubtful = false;
  #dead = false;
  #lastWords = '';

  constructor(config: RunnerConfig, events: RunnerEvents) {
    this.#events = events;
    this.#rssMax = config.limits.rssHardBytes;
    const files = [config.bundlePath, ...(config.snapshotPath === undefined ? [] : [config.snapshotPath])];
    const script = join(adapterDir, 'runner', runsFromSource ? 'main.ts' : 'main.js');
    const { proxy, ...egress } = config.egress;
    this.#child = fork(script, [JSON.stringify({ ...config, egress } satisfies RunnerConfig)], {
      execArgv: [`--max-semi-space-size=${semiSpaceMaxMiB}`, ...permissionFlags(files)],
      env: { ...runnerEnv(), ...trust(egress.authoritiesFile) },
      // JSON is quicker than structured cloning for texts (docs/reference/runtime.md, "Costs").
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#listen();
    if (proxy !== undefined) this.send({ type: 'proxy', proxy });
    if (config.yields === true) this.#yield();
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

  /** Resolves when it takes orders at once, or has died before. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  send(order: ToRunner): void {
    if (this.#outbox.push(order) === 1) setImmediate(() => this.#flush());
  }

  /** Call regularly. `stalledMs` is how long the product itself was just stuck, which is not the runner's fault. */
  check(stalledMs: number): void {
    const silentMs = Math.round(performance.now() - this.#heardAt - stalledMs);
    if (silentMs <= (this.#hasStarted ? silenceMaxMs : startMaxMs)) return;
    this.#isDoubtful = true;
    this.kill(`it has been silent for ${silentMs} ms`);
  }

  /** Reports the death at once, so that nothing waits for the process to go. */
  kill(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
    this.#die();
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (batch) => this.#take(batch as unknown as readonly FromRunner[]));
    child.on('error', (error) => {
      this.#reason ??= error.message;
      if (child.pid === undefined) this.#die();
    });
    let hasExited = false;
    child.on('exit', (code, signal) => {
      hasExited = true;
      if (this.#reason === undefined) this.#isDoubtful = signal !== null && sentByOthers.has(signal);
      this.#reason ??= `it ended with ${signal ?? `code ${code}`}`;
      if (!child.connected) this.#die();
    });
    // Comes after the last message that the runner sent, before or after its exit.
    child.on('disconnect', () => {
      child.kill('SIGKILL');
      if (hasExited) this.#die();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(0, lastWordsUnits);
    });
  }

  /** Before it starts threads, which inherit the priority. Where this is forbidden, it is as quick as the others. */
  #yield(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, yieldingNiceness);
    } catch {
      return;
    }
  }

  #flush(): void {
    const batch = this.#outbox;
    this.#outbox = [];
    // An error here is followed by 'exit' or 'error', which end the process for everybody.
    if (!this.#dead && this.#child.connected) this.#child.send(batch, () => {});
  }

  #take(batch: readonly FromRunner[]): void {
    this.#heardAt = performance.now();
    this.#hasStarted = true;
    this.#started.resolve();
    for (const message of batch) {
      if (this.#dead) return;
      this.#events.onMessage(message);
      if (message.type === 'unrecoverable') this.kill(message.reason);
      else if (message.type === 'beat' && message.rssBytes > this.#rssMax) this.kill('it uses too much memory');
    }
  }

  #die(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#started.resolve();
    const words = faultIn(this.#lastWords);
    this.#events.onDeath({
      reason: `${this.#reason ?? 'it ended'}${words ? `: ${words}` : ''}`,
      isDoubtful: !this.#hasStarted || (this.#isDoubtful && words === ''),
    });
  }
}
