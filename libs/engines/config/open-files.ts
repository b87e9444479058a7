// Checks the system's limit of open files and connections: with too low a limit the process would only partly start.
import { readFile } from 'node:fs/promises';
import { PortError } from '../../domain/port-error.ts';

/** An idle process has 60, each process in which components run needs some, and each connection one. */
const openFilesMin = 128;

/** Throws PortError. `limitsFile`: the one in which the system shows them; on systems without it nothing is checked. */
export async function checkOpenFiles(limitsFile = '/proc/self/limits'): Promise<void> {
  const text = await readFile(limitsFile, 'utf8').catch(() => '');
  // Node has raised the first number, the soft limit, towards the second one, as far as allowed.
  const limit = /^Max open files +(\d+)/m.exec(text)?.[1];
  if (limit === undefined || Number(limit) >= openFilesMin) return;
  throw new PortError(
    'unavailable',
    `This process may have ${limit} files and connections open at a time, and needs ${openFilesMin} or more: ` +
      'allow it more, as by `ulimit -n 65536`.',
  );
}
