// Limits the replays that run in the process; workspaces whose replays wait get places in turn, and none gets all.
import { mayTakeOne } from '../../../primitives/sharing/share-of-free.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';

/** The part of a replay that names its workspace. */
interface OfWorkspace {
  readonly workspace: string;
}

export class ReplayRoom {
  readonly #limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>;
  /** How many event numbers each running replay remembers. */
  readonly #running = new Map<OfWorkspace, number>();
  /** Running replays to whose webhook nothing is sent: others can use their places. */
  readonly #paused = new Set<OfWorkspace>();
  /** How many numbers the replays of each workspace remember, and those of all workspaces. */
  readonly #held = new Map<string, number>();
  #heldByAll = 0;
  /** How many places the replays of each workspace use, and those of all: running ones that are not paused. */
  readonly #taken = new Map<string, number>();
  #takenByAll = 0;
  /** Replays that wait for a place, by workspace, in the order of turns; each gets one or leaves. */
  readonly #waiting = new Map<string, Map<OfWorkspace, () => void>>();

  constructor(limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>) {
    this.#limits = limits;
  }

  /** Gives the replay a place; false: there is none yet, and `free` is called when there might be one. */
  enter(replay: OfWorkspace, free: () => void): boolean {
    if (this.#running.has(replay)) return true;
    const { workspace } = replay;
    if (!this.#mayBegin(workspace)) {
      const waiting = this.#waiting.get(workspace) ?? new Map<OfWorkspace, () => void>();
      this.#waiting.set(workspace, waiting.set(replay, free));
      return false;
    }
    this.#waitNoMore(replay);
    this.#running.set(replay, 0);
    this.#take(workspace, 1);
    return true;
  }

  /**
   * Whether the replay can remember this many numbers. A workspace gets half of what the others leave: however much one
   * requests, something is left for the next one.
   */
  hold(replay: OfWorkspace, count: number): boolean {
    if (!this.#running.has(replay)) return false;
    this.#note(replay, count);
    const own = this.#held.get(replay.workspace) ?? 0;
    return own <= (this.#limits.replaySelectedMax - (this.#heldByAll - own)) / 2;
  }

  pause(replay: OfWorkspace): void {
    if (!this.#running.has(replay) || this.#paused.has(replay)) return;
    this.#paused.add(replay);
    this.#take(replay.workspace, -1);
    this.#admit();
  }

  /** Resumes a paused replay at once, even above the limit until others end. */
  resume(replay: OfWorkspace): void {
    if (this.#paused.delete(replay)) this.#take(replay.workspace, 1);
  }

  leave(replay: OfWorkspace): void {
    this.#waitNoMore(replay);
    this.resume(replay);
    if (!this.#running.has(replay)) return;
    this.#note(replay, 0);
    this.#running.delete(replay);
    this.#take(replay.workspace, -1);
    this.#admit();
  }

  #mayBegin(workspace: string): boolean {
    const free = this.#limits.replaysRunningMax - this.#takenByAll;
    return mayTakeOne(this.#taken.get(workspace) ?? 0, free);
  }

  #take(workspace: string, count: number): void {
    this.#takenByAll += count;
    const own = (this.#taken.get(workspace) ?? 0) + count;
    if (own === 0) this.#taken.delete(workspace);
    else this.#taken.set(workspace, own);
  }

  #waitNoMore(replay: OfWorkspace): void {
    const waiting = this.#waiting.get(replay.workspace);
    if (waiting?.delete(replay) === true && waiting.size === 0) this.#waiting.delete(replay.workspace);
  }

  #admit(): void {
    // A replay that cannot begin now leaves its place to the next one, and enters again later.
    for (const [workspace, waiting] of this.#waiting) {
      const [next] = waiting;
      if (next === undefined || !this.#mayBegin(workspace)) continue;
      const [replay, free] = next;
      this.#waitNoMore(replay);
      // Moves the workspace to the end, where this loop reaches it again.
      if (this.#waiting.delete(workspace)) this.#waiting.set(workspace, waiting);
      free();
    }
  }

  #note(replay: OfWorkspace, count: number): void {
    const change = count - (this.#running.get(replay) ?? 0);
    const own = (this.#held.get(replay.workspace) ?? 0) + change;
    this.#running.set(replay, count);
    this.#heldByAll += change;
    if (own === 0) this.#held.delete(replay.workspace);
    else this.#held.set(replay.workspace, own);
  }
}
