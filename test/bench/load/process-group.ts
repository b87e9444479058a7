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
  const all = statsOfGroup(groupId);
  const sum = (field: 'ticks' | 'pages'): number => all.reduce((total, stat) => total + stat[field], 0);
  return { cpuMs: sum('ticks') * msPerTick, residentMiB: sum('pages') / pagesPerMiB };
}

/** Of each process of the group, the largest first. */
export const residentOfEach = (groupId: number): readonly number[] =>
  statsOfGroup(groupId)
    .map(({ pages }) => pages / pagesPerMiB)
    .sort((a, b) => b - a);

function statsOfGroup(groupId: number): readonly Stat[] {
  return readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) ? fields(entry) : undefined;
    return stat?.group === groupId ? [stat] : [];
  });
}

interface Stat {
  readonly group: number;
  readonly ticks: number;
  readonly pages: number;
}

/** Undefined for a process that has ended meanwhile. Counted from behind the name, which may hold anything. */
function fields(pid: string): Stat | undefined {
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
