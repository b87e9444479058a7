// The runner processes: each source sticks to one, the dead are replaced, and a spare is always warm.
import type { RunnerConfig } from '../protocol.ts';
import type { Compiler } from '../compile/compile.ts';
import { Runner } from './runner.ts';

export interface PoolOptions {
  readonly size: number;
  readonly config: RunnerConfig;
  readonly compiler: Compiler;
  /** Which sources were under way in a process that died. */
  onDeath(reason: string, sources: ReadonlySet<string>): void;
}

/** Deaths within a minute that are replaced at once: more means that something is wrong with every process. */
const quickRespawnsMax = 20;
const respawnWindowMs = 60_000;
const respawnDelayMs = 1_000;
const checkMs = 250;

/** FNV-1a: the same source always meets the same process, and what is warm in it. */
function slotOf(sourceId: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sourceId.length; at++) hash = Math.imul(hash ^ sourceId.charCodeAt(at), 0x01000193) >>> 0;
  return hash % count;
}

export class RunnerPool {
  readonly #options: PoolOptions;
  readonly #slots: Runner[] = [];
  #spare: Runner;
  #deaths: number[] = [];
  #closed = false;
  #checkedAt = performance.now();
  readonly #checking: NodeJS.Timeout;

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let at = 0; at < options.size; at++) this.#slots.push(this.#spawn());
    this.#spare = this.#spawn();
    this.#checking = setInterval(() => this.#check(), checkMs);
  }

  get all(): readonly Runner[] {
    return [...this.#slots, this.#spare];
  }

  /** May be dead for a moment, when too many have died: what it is given is lost. */
  runnerOf(sourceId: string): Runner {
    const runner = this.#slots[slotOf(sourceId, this.#slots.length)];
    return runner ?? this.#spare;
  }

  /** For what may kill its process: describing, and sources under suspicion. */
  get spare(): Runner {
    return this.#spare;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#checking);
    for (const runner of this.all) runner.kill('the product closes it');
  }

  #spawn(): Runner {
    const { config, compiler } = this.#options;
    const runner: Runner = new Runner(config, compiler, (reason, sources) => this.#died(runner, reason, sources));
    return runner;
  }

  #died(runner: Runner, reason: string, sources: ReadonlySet<string>): void {
    if (this.#closed) return;
    this.#options.onDeath(reason, sources);
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < respawnWindowMs), now];
    if (this.#deaths.length <= quickRespawnsMax) this.#replace(runner);
    else setTimeout(() => this.#replace(runner), respawnDelayMs * (this.#deaths.length - quickRespawnsMax)).unref();
  }

  /** The spare, which is warm, takes an empty place unless it is busy itself. */
  #replace(dead: Runner): void {
    if (this.#closed) return;
    const slot = this.#slots.indexOf(dead);
    if (slot < 0) this.#spare = this.#spawn();
    else if (this.#spare.isIdle && !this.#spare.isDead) {
      this.#slots[slot] = this.#spare;
      this.#spare = this.#spawn();
    } else this.#slots[slot] = this.#spawn();
  }

  #check(): void {
    const now = performance.now();
    const stalledMs = Math.max(0, now - this.#checkedAt - checkMs);
    this.#checkedAt = now;
    for (const runner of this.all) if (!runner.isDead) runner.check(stalledMs);
  }
}
