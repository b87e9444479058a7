// Reads the processor time and the memory of single processes from /proc.
import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second; the fields follow the command's closing parenthesis. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The processor time of this process and the others. */
export function cpuMsWith(processIds: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  return processIds.reduce((sum, pid) => sum + cpuMsOf(pid), (user + system) / 1000);
}

export function residentMiBOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
