// What the domain never reads by itself: the clock and randomness, handed in so that tests and replays can fix them.
import type { Millis } from './message.ts';

export interface Ambient {
  now(): Millis;
  randomBytes(count: number): Buffer;
}
