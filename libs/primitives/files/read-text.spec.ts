import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText } from './read-text.ts';

test('a file is read, and an error names it, also where it is a directory', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'read-text-'));
  const file = join(dir, 'key');
  await expect(readText(file)).rejects.toMatchObject({ code: 'ENOENT', path: file });
  await writeFile(file, 'a key');
  expect(await readText(file)).toBe('a key');
  await expect(readText(dir)).rejects.toMatchObject({ code: 'EISDIR', path: dir });
  await rm(dir, { recursive: true });
});
