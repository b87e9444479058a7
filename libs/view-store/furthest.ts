// Moves a checkpoint forward, for adapters that store all of its positions together.
import type { Positions } from '../log/log.ts';

/** Returns `standing` with each position of `moved` that is new or higher. */
export function furthest(standing: Positions, moved: Positions): Positions {
  const positions = { ...standing };
  for (const [key, offset] of Object.entries(moved)) positions[key] = Math.max(positions[key] ?? 0, offset);
  return positions;
}
