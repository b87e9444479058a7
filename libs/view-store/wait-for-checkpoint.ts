// Waits until the views have passed a record (read your writes); needs only the view store.
import { setTimeout as wait } from 'node:timers/promises';
import { positionKey, type Position } from '../log/log.ts';
import { Backoff } from '../primitives/backoff.ts';
import type { ViewBuild } from './view-store.ts';

/** Short, since most records are in the views within a few milliseconds; waits grow, so that long ones cost little. */
const firstWaitMs = 2;
const longestWaitMs = 50;

/** The topic, partition and offset of a record. */
type RecordPosition = Pick<Position, 'topic' | 'partition' | 'offset'>;

/** Returns whether the views passed the record within `timeoutMs`. Throws what the store throws. */
export async function waitForCheckpoint(build: ViewBuild, record: RecordPosition, timeoutMs: number): Promise<boolean> {
  const key = positionKey(record.topic, record.partition);
  const deadline = performance.now() + timeoutMs;
  for (const backoff = new Backoff(firstWaitMs, longestWaitMs); ;) {
    const positions = await build.checkpoint();
    if ((positions[key] ?? 0) > record.offset) return true;
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    await wait(Math.min(backoff.next(), remainingMs));
  }
}
