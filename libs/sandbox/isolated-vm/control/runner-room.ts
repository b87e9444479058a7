// How many sources a runner's memory is enough for, by what an isolate takes there on average.
import type { Room } from '../../sandbox.ts';

const MiB = 1024 * 1024;
/** What a runner takes without isolates. */
const baseBytes = 60 * MiB;
/** A small component that waits takes 4.5 MiB: less is never expected. */
const isolateBytesMin = 5 * MiB;
/** Fewer say nothing about the average: what was freed may not have gone back yet. */
const isolatesMin = 20;

export class RunnerRoom {
  readonly #rssSoftBytes: number;
  #isolateBytes = isolateBytesMin;

  constructor(rssSoftBytes: number) {
    this.#rssSoftBytes = rssSoftBytes;
  }

  /** What the runner has told. */
  learn(rssBytes: number, isolates: number): void {
    this.#isolateBytes = Math.max(isolateBytesMin, (rssBytes - baseBytes) / Math.max(isolates, isolatesMin));
  }

  with(taken: number): Room {
    return { all: Math.floor(this.#rssSoftBytes / this.#isolateBytes), taken };
  }
}

/** Of runners that have not been started. */
export const emptyRoom = (rssSoftBytes: number, count: number): Room => ({
  all: count * Math.floor(rssSoftBytes / isolateBytesMin),
  taken: 0,
});

/** Of several runners between which sources fall by chance: each as full as the fullest. */
export function roomOfAll(rooms: readonly Room[]): Room {
  const [first, ...others] = rooms;
  if (first === undefined) return { all: 0, taken: 0 };
  const fullest = others.reduce(
    (worst, room) => (room.taken * worst.all > worst.taken * room.all ? room : worst),
    first,
  );
  return { all: rooms.length * fullest.all, taken: rooms.length * fullest.taken };
}
