// The clock and randomness, which the domain never reads by itself: they are passed in so that tests can fix them.
import type { Millis } from './message.ts';

export interface Ambient {
  now(): Millis;
  randomBytes(count: number): Buffer;
}
