// How many sources fit into a runner's memory, by the average size of its isolates.
import type { Room } from '../../sandbox.ts';

const MiB = 1024 * 1024;
/** What a runner takes without isolates. */
const baseBytes = 60 * MiB;
/** A small idle component takes 4.5 MiB: the estimate is never less. */
const isolateBytesMin = 5 * MiB;
/** Fewer isolates say nothing about the average: freed memory may not have been given back yet. */
const isolatesMin = 20;

export class RunnerRoom {
  readonly #rssSoftBytes: number;
  #isolateBytes = isolateBytesMin;

  constructor(rssSoftBytes: number) {
    this.#rssSoftBytes = rssSoftBytes;
  }

  /** Takes what the runner has reported. */
  learn(rssBytes: number, isolates: number): void {
    this.#isolateBytes = Math.max(isolateBytesMin, (rssBytes - baseBytes) / Math.max(isolates, isolatesMin));
  }

  with(taken: number): Room {
    return { all: Math.floor(this.#rssSoftBytes / this.#isolateBytes), taken };
  }
}

/** The room of runners that have not been started. */
export const emptyRoom = (rssSoftBytes: number, count: number): Room => ({
  all: count * Math.floor(rssSoftBytes / isolateBytesMin),
  taken: 0,
});

/** The room of several runners among which sources fall by chance: all count as being as full as the fullest. */
export function roomOfAll(rooms: readonly Room[]): Room {
  const [first, ...others] = rooms;
  if (first === undefined) return { all: 0, taken: 0 };
  const fullest = others.reduce(
    (worst, room) => (room.taken * worst.all > worst.taken * room.all ? room : worst),
    first,
  );
  return { all: rooms.length * fullest.all, taken: rooms.length * fullest.taken };
}
