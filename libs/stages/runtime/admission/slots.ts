// Bounds how much runs at once: workspaces take turns, each in the order of its requests, and none ever has every slot.
import { Fifo } from '../../../primitives/collections/fifo.ts';
import { canTakeOne } from '../../../primitives/sharing/share-of-free.ts';

export class Slots {
  /** Waiting requests by workspace, in the order of turns. */
  readonly #waiting = new Map<string, Fifo<() => void>>();
  readonly #heldByWorkspace = new Map<string, number>();
  readonly #room: (taken: number) => number;
  #taken = 0;
  #isAdvancing = false;

  /** `room`: a fixed number, or a function that returns the free slots; then call `advance` if there might be more. */
  constructor(room: number | (() => number)) {
    this.#room = typeof room === 'number' ? (taken) => room - taken : room;
  }

  get hasWaiters(): boolean {
    return this.#waiting.size > 0;
  }

  /** Calls `begin` at once if there is a slot, else when one becomes free. Each `begin` must lead to one `release`. */
  acquire(workspace: string, begin: () => void): void {
    if (!this.#waiting.has(workspace) && this.#canGrant(workspace)) {
      this.#grant(workspace, begin);
      return;
    }
    const waiting = this.#waiting.get(workspace) ?? new Fifo<() => void>();
    waiting.push(begin);
    this.#waiting.set(workspace, waiting);
  }

  release(workspace: string): void {
    this.#taken--;
    const held = (this.#heldByWorkspace.get(workspace) ?? 1) - 1;
    if (held === 0) this.#heldByWorkspace.delete(workspace);
    else this.#heldByWorkspace.set(workspace, held);
    this.advance();
  }

  /** Gives free slots to waiting requests. Not recursive: thousands might release their slots within `begin`. */
  advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      this.#grantFree();
    } finally {
      this.#isAdvancing = false;
    }
  }

  #grantFree(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const waiting = this.#waiting.get(next);
      const begin = waiting?.shift();
      this.#waiting.delete(next);
      if (waiting !== undefined && waiting.length > 0) this.#waiting.set(next, waiting);
      if (begin !== undefined) this.#grant(next, begin);
    }
  }

  #next(): string | undefined {
    for (const workspace of this.#waiting.keys()) if (this.#canGrant(workspace)) return workspace;
    return undefined;
  }

  #canGrant(workspace: string): boolean {
    return canTakeOne(this.#heldByWorkspace.get(workspace) ?? 0, this.#room(this.#taken));
  }

  #grant(workspace: string, begin: () => void): void {
    this.#taken++;
    this.#heldByWorkspace.set(workspace, (this.#heldByWorkspace.get(workspace) ?? 0) + 1);
    begin();
  }
}
