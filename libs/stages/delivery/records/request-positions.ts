// How far requests are taken, in the mark: acts on single deliveries may be behind all other requests.
import type { Mark } from '../../../domain/mark/messages.ts';
import { positionKey } from '../../../log/log.ts';

/** Every request below is dealt with. */
export const doneKey = (partition: number): string => positionKey('requests', partition);

/** Below it only acts are still to be dealt with. It says nothing when it is lower than `doneKey`. */
export const takenKey = (partition: number): string => `${doneKey(partition)}/taken`;

export interface RequestPositions {
  /** Where to read on for acts. */
  readonly done: number;
  /** Where to read on for all other requests. */
  readonly taken: number;
}

export function requestPositions({ positions }: Pick<Mark, 'positions'>, partition: number): RequestPositions {
  const done = positions[doneKey(partition)] ?? 0;
  return { done, taken: Math.max(done, positions[takenKey(partition)] ?? 0) };
}
