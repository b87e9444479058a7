// The mark's positions on `requests`: retries and discards of single deliveries can be behind all other requests.
import type { Mark } from '../../../domain/mark/messages.ts';
import { positionKey } from '../../../log/log.ts';

/** The key of the position below which every request is done. */
export const doneKey = (partition: number): string => positionKey('requests', partition);

/** The key of the position below which only retries and discards are left. Ignored if it is lower than `doneKey`. */
export const takenKey = (partition: number): string => `${doneKey(partition)}/taken`;

export interface RequestPositions {
  /** Where to continue with retries and discards. */
  readonly done: number;
  /** Where to continue with all other requests. */
  readonly taken: number;
}

export function requestPositions({ positions }: Pick<Mark, 'positions'>, partition: number): RequestPositions {
  const done = positions[doneKey(partition)] ?? 0;
  return { done, taken: Math.max(done, positions[takenKey(partition)] ?? 0) };
}
