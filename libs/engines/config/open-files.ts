// How many files and connections the system lets this process have open at a time: with too few it would start in part.
import { readFile } from 'node:fs/promises';
import { PortError } from '../../domain/port-error.ts';

/** A process that is idle has 60, each process in which components run takes some, and each connection takes one. */
const openFilesMin = 128;

/** Throws PortError. `limits`: where the system shows them; on other systems nothing is checked. */
export async function checkOpenFiles(limits = '/proc/self/limits'): Promise<void> {
  const text = await readFile(limits, 'utf8').catch(() => '');
  // Node has raised the first number to the second one, as far as it may.
  const most = /^Max open files +(\d+)/m.exec(text)?.[1];
  if (most === undefined || Number(most) >= openFilesMin) return;
  throw new PortError(
    'unavailable',
    `This process may have ${most} files and connections open at a time, and needs ${openFilesMin} or more: ` +
      'allow it more, as by `ulimit -n 65536`.',
  );
}
