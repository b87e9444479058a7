import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOpenFiles } from './open-files.ts';

async function checked(most: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'open-files-'));
  const limits = join(folder, 'limits');
  await writeFile(
    limits,
    [
      'Limit                     Soft Limit           Hard Limit           Units     ',
      'Max processes             40                   40                   processes ',
      `Max open files            ${most.padEnd(20)} ${most.padEnd(20)} files     `,
    ].join('\n'),
  );
  await checkOpenFiles(limits).finally(() => rm(folder, { recursive: true }));
}

test.each(['40', '127'])('a process that may have %s files open is refused, with what to do', async (most) => {
  await expect(checked(most)).rejects.toThrow(
    `This process may have ${most} files and connections open at a time, and needs 128 or more: allow it more, as by \`ulimit -n`,
  );
});

test.each(['128', '1048576', 'unlimited'])('one that may have %s is not', async (most) => {
  await expect(checked(most)).resolves.toBeUndefined();
});

test('where the system shows no limit nothing is refused', async () => {
  await expect(checkOpenFiles('/proc/nothing')).resolves.toBeUndefined();
});
