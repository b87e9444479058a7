// What a process group uses, from /proc: the product with its runners, not the bench beside it.
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** User and system time since the processes began. */
  readonly cpuMs: number;
  readonly residentMiB: number;
}

/** Linux counts in ticks of 10 ms and pages of 4 KiB. */
const msPerTick = 10;
const pagesPerMiB = 256;

export function usageOfGroup(groupId: number): Usage {
  let ticks = 0;
  let pages = 0;
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? fields(entry) : undefined;
    if (stat?.group !== groupId) continue;
    ticks += stat.ticks;
    pages += stat.pages;
  }
  return { cpuMs: ticks * msPerTick, residentMiB: pages / pagesPerMiB };
}

/** Undefined for a process that has ended meanwhile. Counted from behind the name, which may hold anything. */
function fields(pid: string): { group: number; ticks: number; pages: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , group, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { group: group ?? 0, ticks: (rest[8] ?? 0) + (rest[9] ?? 0), pages: rest[18] ?? 0 };
  } catch {
    return undefined;
  }
}
