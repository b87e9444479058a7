// Estimates how many sources fit into a runner's memory, from the average size of its isolates.
import type { Room } from '../../sandbox.ts';

const MiB = 1024 * 1024;
/** Memory of a runner without isolates. */
const baseBytes = 60 * MiB;
/** Lower bound of the estimate; a small idle component takes 4.5 MiB. */
const isolateBytesMin = 5 * MiB;
/** With fewer isolates the average is unknown, because freed memory might not have been returned yet. */
const isolatesMin = 20;

export class RunnerRoom {
  readonly #rssSoftBytes: number;
  #isolateBytes = isolateBytesMin;

  constructor(rssSoftBytes: number) {
    this.#rssSoftBytes = rssSoftBytes;
  }

  /** Updates the estimate with what the runner reports. */
  learn(rssBytes: number, isolates: number): void {
    this.#isolateBytes = Math.max(isolateBytesMin, (rssBytes - baseBytes) / Math.max(isolates, isolatesMin));
  }

  with(taken: number): Room {
    return { all: Math.floor(this.#rssSoftBytes / this.#isolateBytes), taken };
  }
}

/** The room of runners that have not started yet. */
export const emptyRoom = (rssSoftBytes: number, count: number): Room => ({
  all: count * Math.floor(rssSoftBytes / isolateBytesMin),
  taken: 0,
});

/** The room of several runners to which sources are assigned at random: all count as being as full as the fullest. */
export function roomOfAll(rooms: readonly Room[]): Room {
  const [first, ...others] = rooms;
  if (first === undefined) return { all: 0, taken: 0 };
  const fullest = others.reduce(
    (worst, room) => (room.taken * worst.all > worst.taken * room.all ? room : worst),
    first,
  );
  return { all: rooms.length * fullest.all, taken: rooms.length * fullest.taken };
}
