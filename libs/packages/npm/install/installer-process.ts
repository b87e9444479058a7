// One installer process as the product sees it: limited in time, memory and in what it may touch; it does one install.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromInstaller, InstallJob, InstallLimits, InstallResult } from './protocol.ts';

const MiB = 1024 * 1024;

export const installLimits: InstallLimits = {
  timeMs: 120_000,
  // 1 GiB beside what Node reserves.
  dataKiB: (1024 + 512) * 1024,
  unpackedBytes: 200 * MiB,
  // Ten times what a large SDK has.
  filesMax: 40_000,
  packagesMax: 1_500,
};

/** Metadata of some hundred packages, and their files while they are unpacked, which are no part of the heap. */
const heapMb = 640;
/** Starting takes 400 ms on an idle machine. */
const startMaxMs = 20_000;
const lastWordsUnits = 300;

const bounded = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"';
const here = dirname(fileURLToPath(import.meta.url));
const script = join(here, 'process', import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js');
const libs = join(here, '../../..');

/** The folder of node_modules that npm's parts stand in; they find each other there. */
const modules = join(dirname(createRequire(import.meta.url).resolve('@npmcli/arborist/package.json')), '../..');

/** It may read code, and write where trees are kept; it starts no process, no thread and no native code. */
function permissionFlags(directory: string): string[] {
  const readable = [join(libs, '*'), join(modules, '*'), join(directory, '*')];
  const flags = ['--permission', '--disable-warning=SecurityWarning', `--allow-fs-write=${join(directory, '*')}`];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`)];
}

export interface InstallerOptions {
  readonly directory: string;
  readonly limits: InstallLimits;
  /** A file of certificates that Node trusts beside its own. */
  readonly authoritiesFile?: string | undefined;
}

export class InstallerProcess {
  readonly #child: ChildProcess;
  readonly #limits: InstallLimits;
  readonly #ended = Promise.withResolvers<InstallResult | undefined>();
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #hasJob = false;
  #reason: string | undefined;
  #lastWords = '';

  constructor({ directory, limits, authoritiesFile }: InstallerOptions) {
    this.#limits = limits;
    const node = [process.execPath, `--max-old-space-size=${heapMb}`, ...permissionFlags(directory), script];
    this.#child = spawn('/bin/sh', ['-c', bounded, 'sh', String(limits.dataKiB), ...node], {
      cwd: directory,
      env: authoritiesFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: authoritiesFile },
      serialization: 'json',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isDead(): boolean {
    return this.#reason !== undefined;
  }

  /** Why it died, for the log. */
  get reason(): string {
    const words = this.#lastWords.replace(/\s+/g, ' ').trim();
    return `${this.#reason ?? 'it lives'}${words ? `: ${words}` : ''}`;
  }

  /** Once. Undefined when the process died of it. */
  install(job: InstallJob): Promise<InstallResult | undefined> {
    this.#hasJob = true;
    this.#watch();
    // An error here is followed by 'exit' or 'error'.
    this.#child.send(job, () => {});
    return this.#ended.promise;
  }

  kill(reason: string): void {
    this.#reason ??= reason;
    clearTimeout(this.#timer);
    this.#child.kill('SIGKILL');
    this.#ended.resolve(undefined);
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (message) => this.#take(message as FromInstaller));
    child.on('error', (error) => this.kill(error.message));
    child.on('exit', (code, signal) => this.kill(`it ended with ${signal ?? `code ${code}`}`));
    child.on('disconnect', () => this.kill('it closed its channel'));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(0, lastWordsUnits);
    });
  }

  #take(message: FromInstaller): void {
    this.#isReady = true;
    if (message.type === 'ended') this.#ended.resolve(message.result);
    else if (this.#hasJob) this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const { timeMs } = this.#limits;
    this.#timer = setTimeout(() => this.#giveUp(), timeMs + (this.#isReady ? 0 : startMaxMs));
  }

  /** Another try would take as long. */
  #giveUp(): void {
    const { timeMs } = this.#limits;
    const message =
      `The packages could not be installed within ${timeMs / 1_000} s: ` +
      'look whether the registry is slow, or import fewer packages';
    this.#ended.resolve({ kind: 'failed', message, again: true });
    this.kill(`it installed for more than ${timeMs} ms`);
  }
}
