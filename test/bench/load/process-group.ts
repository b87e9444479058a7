// Reads from /proc what a process group uses: the product with its runners, without the bench.
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

/** The memory of each process of the group, the largest first, with the script that it runs. */
export const residentOfEach = (groupId: number): readonly { readonly script: string; readonly residentMiB: number }[] =>
  statsOfGroup(groupId)
    .map(({ pid, pages }) => ({ script: scriptOf(pid), residentMiB: pages / pagesPerMiB }))
    .sort((a, b) => b.residentMiB - a.residentMiB);

function statsOfGroup(groupId: number): readonly Stat[] {
  return readdirSync('/proc').flatMap((entry) => {
    const stat = /^\d+$/.test(entry) ? fields(entry) : undefined;
    return stat?.group === groupId ? [stat] : [];
  });
}

/** The last two parts of the script's path: many are called `main.js`, and their folders tell them apart. */
function scriptOf(pid: string): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const script = words.find((word, i) => i > 0 && /\.m?[jt]s$/.test(word) && !word.startsWith('-')) ?? words[0] ?? '';
    return script.split('/').slice(-2).join('/');
  } catch {
    return 'ended';
  }
}

interface Stat {
  readonly pid: string;
  readonly group: number;
  readonly ticks: number;
  readonly pages: number;
}

/** Undefined if the process has ended. Fields are counted from after the name, which can contain anything. */
function fields(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , group, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { pid, group: group ?? 0, ticks: (rest[8] ?? 0) + (rest[9] ?? 0), pages: rest[18] ?? 0 };
  } catch {
    return undefined;
  }
}
