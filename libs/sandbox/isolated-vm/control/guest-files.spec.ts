// The snapshot on disk is made once, checked at every start, and made again if it is damaged.
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareGuest } from './guest-files.ts';

let directory = '';
beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'guest-files-'))));
afterAll(() => rm(directory, { recursive: true }));

it('makes a snapshot once, again when it is damaged, and removes those of other versions', async () => {
  await writeFile(join(directory, 'guest-old.snapshot'), 'old');
  const { bundlePath, snapshotPath = '' } = await prepareGuest(directory);
  expect(await readFile(bundlePath, 'utf8')).toContain('__boot');
  expect(snapshotPath).toContain(process.versions.v8);
  expect((await stat(snapshotPath)).mode & 0o777).toBe(0o600);
  const snapshot = await readFile(snapshotPath);
  expect((await prepareGuest(directory)).snapshotPath).toBe(snapshotPath);
  expect((await readFile(snapshotPath)).equals(snapshot)).toBe(true);

  const damaged = Buffer.from(snapshot);
  damaged.writeUInt8(damaged.readUInt8(5_000) ^ 0xff, 5_000);
  await writeFile(snapshotPath, damaged);
  await prepareGuest(directory);
  expect((await readFile(snapshotPath)).equals(damaged)).toBe(false);
  expect((await readdir(directory)).length).toBe(2);
}, 20_000);
