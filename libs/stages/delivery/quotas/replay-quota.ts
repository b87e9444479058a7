// Limits the replays that run in the process; workspaces whose replays wait get places in turn, and none gets all.
import { canTakeOne } from '../../../primitives/sharing/share-of-free.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';

/** The part of a replay that names its workspace. */
interface WorkspaceReplay {
  readonly workspace: string;
}

export class ReplayQuota {
  readonly #limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>;
  /** How many event numbers each running replay remembers. */
  readonly #running = new Map<WorkspaceReplay, number>();
  /** Running replays to whose webhook nothing is sent: others can use their places. */
  readonly #paused = new Set<WorkspaceReplay>();
  /** How many numbers the replays of each workspace remember, and those of all workspaces. */
  readonly #remembered = new Map<string, number>();
  #rememberedByAll = 0;
  /** How many places the replays of each workspace use, and those of all: running ones that are not paused. */
  readonly #taken = new Map<string, number>();
  #takenByAll = 0;
  /** Replays that wait for a place, by workspace, in the order of turns; each gets one or leaves. */
  readonly #waiting = new Map<string, Map<WorkspaceReplay, () => void>>();

  constructor(limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>) {
    this.#limits = limits;
  }

  /** Gives the replay a place; false: there is none yet, and `onFree` is called when there might be one. */
  tryStart(replay: WorkspaceReplay, onFree: () => void): boolean {
    if (this.#running.has(replay)) return true;
    const { workspace } = replay;
    if (!this.#canStart(workspace)) {
      const waiting = this.#waiting.get(workspace) ?? new Map<WorkspaceReplay, () => void>();
      this.#waiting.set(workspace, waiting.set(replay, onFree));
      return false;
    }
    this.#stopWaiting(replay);
    this.#running.set(replay, 0);
    this.#changeTaken(workspace, 1);
    return true;
  }

  /**
   * Whether the replay can remember this many numbers. A workspace gets half of what the others leave: however much one
   * requests, something is left for the next one.
   */
  remember(replay: WorkspaceReplay, count: number): boolean {
    if (!this.#running.has(replay)) return false;
    this.#setRemembered(replay, count);
    const own = this.#remembered.get(replay.workspace) ?? 0;
    return own <= (this.#limits.replaySelectedMax - (this.#rememberedByAll - own)) / 2;
  }

  pause(replay: WorkspaceReplay): void {
    if (!this.#running.has(replay) || this.#paused.has(replay)) return;
    this.#paused.add(replay);
    this.#changeTaken(replay.workspace, -1);
    this.#admit();
  }

  /** Resumes a paused replay at once, even above the limit until others end. */
  resume(replay: WorkspaceReplay): void {
    if (this.#paused.delete(replay)) this.#changeTaken(replay.workspace, 1);
  }

  release(replay: WorkspaceReplay): void {
    this.#stopWaiting(replay);
    this.resume(replay);
    if (!this.#running.has(replay)) return;
    this.#setRemembered(replay, 0);
    this.#running.delete(replay);
    this.#changeTaken(replay.workspace, -1);
    this.#admit();
  }

  #canStart(workspace: string): boolean {
    const free = this.#limits.replaysRunningMax - this.#takenByAll;
    return canTakeOne(this.#taken.get(workspace) ?? 0, free);
  }

  #changeTaken(workspace: string, count: number): void {
    this.#takenByAll += count;
    const own = (this.#taken.get(workspace) ?? 0) + count;
    if (own === 0) this.#taken.delete(workspace);
    else this.#taken.set(workspace, own);
  }

  #stopWaiting(replay: WorkspaceReplay): void {
    const waiting = this.#waiting.get(replay.workspace);
    if (waiting?.delete(replay) === true && waiting.size === 0) this.#waiting.delete(replay.workspace);
  }

  #admit(): void {
    // A replay that cannot begin now leaves its place to the next one, and enters again later.
    for (const [workspace, waiting] of this.#waiting) {
      const [next] = waiting;
      if (next === undefined || !this.#canStart(workspace)) continue;
      const [replay, onFree] = next;
      this.#stopWaiting(replay);
      // Moves the workspace to the end, where this loop reaches it again.
      if (this.#waiting.delete(workspace)) this.#waiting.set(workspace, waiting);
      onFree();
    }
  }

  #setRemembered(replay: WorkspaceReplay, count: number): void {
    const change = count - (this.#running.get(replay) ?? 0);
    const own = (this.#remembered.get(replay.workspace) ?? 0) + change;
    this.#running.set(replay, count);
    this.#rememberedByAll += change;
    if (own === 0) this.#remembered.delete(replay.workspace);
    else this.#remembered.set(replay.workspace, own);
  }
}
