import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOpenFiles } from './open-files.ts';

async function check(limit: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'open-files-'));
  const limits = join(folder, 'limits');
  await writeFile(
    limits,
    [
      'Limit                     Soft Limit           Hard Limit           Units     ',
      'Max processes             40                   40                   processes ',
      `Max open files            ${limit.padEnd(20)} ${limit.padEnd(20)} files     `,
    ].join('\n'),
  );
  await checkOpenFiles(limits).finally(() => rm(folder, { recursive: true }));
}

test.each(['40', '127'])('a process that may have %s files open is refused, with what to do', async (limit) => {
  await expect(check(limit)).rejects.toThrow(
    `This process may have ${limit} files and connections open at a time, and needs 128 or more: allow it more, as by \`ulimit -n`,
  );
});

test.each(['128', '1048576', 'unlimited'])('one that may have %s is not', async (limit) => {
  await expect(check(limit)).resolves.toBeUndefined();
});

test('where the system shows no limit nothing is refused', async () => {
  await expect(checkOpenFiles('/proc/nothing')).resolves.toBeUndefined();
});
