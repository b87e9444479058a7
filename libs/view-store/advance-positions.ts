// Moves a checkpoint forward, for adapters that store all of its positions together.
import type { Positions } from '../log/log.ts';

/** Returns `current` with each position of `moved` that is new or higher. */
export function advancePositions(current: Positions, moved: Positions): Positions {
  const positions = { ...current };
  for (const [key, offset] of Object.entries(moved)) positions[key] = Math.max(positions[key] ?? 0, offset);
  return positions;
}
