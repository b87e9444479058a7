// Bounds how much runs at once: workspaces take turns, each in the order of its requests, and none ever has every slot.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import { mayTakeOne } from '../../../primitives/sharing/share-of-free.ts';

export class Slots {
  /** Waiting requests by workspace, in the order of turns. */
  readonly #waiting = new Map<string, Fifo<() => void>>();
  readonly #held = new Map<string, number>();
  readonly #room: (taken: number) => number;
  #taken = 0;
  #isAdvancing = false;

  /** `room`: a fixed number, or a function that returns the free slots; then call `advance` if there might be more. */
  constructor(room: number | (() => number)) {
    this.#room = typeof room === 'number' ? (taken) => room - taken : room;
  }

  get isWaitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  /** Calls `begin` at once if there is a slot, else when one becomes free. Each `begin` must lead to one `release`. */
  take(workspace: string, begin: () => void): void {
    if (!this.#waiting.has(workspace) && this.#mayTake(workspace)) {
      this.#give(workspace, begin);
      return;
    }
    const waiting = this.#waiting.get(workspace) ?? new Fifo<() => void>();
    waiting.push(begin);
    this.#waiting.set(workspace, waiting);
  }

  release(workspace: string): void {
    this.#taken--;
    const held = (this.#held.get(workspace) ?? 1) - 1;
    if (held === 0) this.#held.delete(workspace);
    else this.#held.set(workspace, held);
    this.advance();
  }

  /** Gives free slots to waiting requests. Not recursive: thousands might release their slots within `begin`. */
  advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      this.#giveAll();
    } finally {
      this.#isAdvancing = false;
    }
  }

  #giveAll(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const waiting = this.#waiting.get(next);
      const begin = waiting?.shift();
      this.#waiting.delete(next);
      if (waiting !== undefined && waiting.length > 0) this.#waiting.set(next, waiting);
      if (begin !== undefined) this.#give(next, begin);
    }
  }

  #next(): string | undefined {
    for (const workspace of this.#waiting.keys()) if (this.#mayTake(workspace)) return workspace;
    return undefined;
  }

  #mayTake(workspace: string): boolean {
    return mayTakeOne(this.#held.get(workspace) ?? 0, this.#room(this.#taken));
  }

  #give(workspace: string, begin: () => void): void {
    this.#taken++;
    this.#held.set(workspace, (this.#held.get(workspace) ?? 0) + 1);
    begin();
  }
}
