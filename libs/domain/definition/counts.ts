// Counts things by workspace; a workspace with none takes no memory.
export type Counts = Map<string, number>;

/** `change`: 1 or -1. */
export function count(counts: Counts, workspace: string, change: number): void {
  const now = (counts.get(workspace) ?? 0) + change;
  if (now > 0) counts.set(workspace, now);
  else counts.delete(workspace);
}
