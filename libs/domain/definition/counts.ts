// Counts things by workspace; a workspace with none takes no memory.
export type Counts = Map<string, number>;

/** `change`: 1 or -1. */
export function adjustCount(counts: Counts, workspace: string, change: number): void {
  const next = (counts.get(workspace) ?? 0) + change;
  if (next > 0) counts.set(workspace, next);
  else counts.delete(workspace);
}
