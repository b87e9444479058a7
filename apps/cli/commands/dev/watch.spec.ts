import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOfFile } from '../../props/code.ts';
import { watchSaves } from './watch.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'saves-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** The texts of a single file, or the files by path. */
async function* savesOf(path: string, before: string, signal: AbortSignal): AsyncGenerator<unknown> {
  const begun = { code: { component_code: before }, paths: [path] };
  for await (const { code } of watchSaves(() => codeOfFile(path), begun, signal))
    yield code.component_code ?? code.files;
}

test('a save of an imported file is reported, in any folder, from the moment it is imported', async () => {
  const [path, other] = [join(dir, 'a.mjs'), join(dir, 'common', 'b.mjs')];
  await mkdir(join(dir, 'common'));
  await writeFile(other, 'b1');
  await writeFile(path, 'alone');
  const abort = new AbortController();
  const found = savesOf(path, 'alone', abort.signal);
  const first = found.next();
  const importing = 'import "./common/b.mjs";';
  await writeFile(path, importing);
  expect((await first).value).toEqual({ 'a.mjs': importing, 'common/b.mjs': 'b1' });
  const second = found.next();
  await writeFile(other, 'b2');
  expect((await second).value).toEqual({ 'a.mjs': importing, 'common/b.mjs': 'b2' });
  const last = found.next();
  abort.abort();
  expect((await last).done).toBe(true);
});

test('the target of a link is read, with its imports next to it, and its saves are reported', async () => {
  const [path, link] = [join(dir, 'kept', 'a.mjs'), join(dir, 'linked.mjs')];
  await mkdir(join(dir, 'kept'));
  await writeFile(join(dir, 'kept', 'b.mjs'), 'b1');
  const importing = 'import "./b.mjs";';
  await writeFile(path, importing);
  await symlink(join('kept', 'a.mjs'), link);
  const abort = new AbortController();
  const found = savesOf(link, importing, abort.signal);
  expect((await found.next()).value).toEqual({ 'a.mjs': importing, 'b.mjs': 'b1' });
  const changes = [
    () => writeFile(path, `${importing}//2`),
    () => writeFile(join(dir, 'new'), `${importing}//3`).then(() => rename(join(dir, 'new'), path)),
    () => writeFile(join(dir, 'kept', 'b.mjs'), 'b2'),
  ];
  const expected = [`${importing}//2`, `${importing}//3`, `${importing}//3`];
  for (const [at, change] of changes.entries()) {
    const save = found.next();
    await change();
    expect((await save).value).toEqual({ 'a.mjs': expected[at], 'b.mjs': at === 2 ? 'b2' : 'b1' });
  }
  const last = found.next();
  abort.abort();
  expect((await last).done).toBe(true);
});

test('it waits for a removed imported file, even if its folder was removed', async () => {
  const [path, folder] = [join(dir, 'a.mjs'), join(dir, 'common')];
  const importing = 'import "./common/b.mjs";';
  await mkdir(folder);
  await writeFile(join(folder, 'b.mjs'), 'b1');
  await writeFile(path, importing);
  const abort = new AbortController();
  const found = savesOf(path, importing, abort.signal);
  const files = async (change: () => Promise<void>): Promise<unknown> => {
    const save = found.next();
    await change();
    return (await save).value;
  };
  const withB = (text: string): object => ({ 'a.mjs': importing, 'common/b.mjs': text });
  expect(await files(async () => undefined)).toEqual(withB('b1'));
  expect(await files(() => rm(join(folder, 'b.mjs')))).toBe(importing);
  expect(await files(() => writeFile(join(folder, 'b.mjs'), 'b2'))).toEqual(withB('b2'));
  expect(await files(() => rm(folder, { recursive: true }))).toBe(importing);
  const again = async (): Promise<void> => {
    await mkdir(folder);
    await writeFile(join(folder, 'b.mjs'), 'b3');
  };
  expect(await files(again)).toEqual(withB('b3'));
  expect(await files(() => writeFile(join(folder, 'b.mjs'), 'b4'))).toEqual(withB('b4'));
  const last = found.next();
  abort.abort();
  expect((await last).done).toBe(true);
});

test('each save is reported once, however the editor writes it, and other files are ignored', async () => {
  const path = join(dir, 'a.mjs');
  await writeFile(path, 'one');
  const abort = new AbortController();
  const found = savesOf(path, 'one', abort.signal);
  const next = async (save: () => Promise<void>): Promise<unknown> => {
    const save$ = found.next();
    await save();
    return (await save$).value;
  };
  expect(await next(() => writeFile(path, 'two'))).toBe('two');
  expect(
    await next(async () => {
      await writeFile(join(dir, 'b.mjs'), 'other');
      await writeFile(join(dir, '.a.mjs.swp'), 'three');
      await rename(join(dir, '.a.mjs.swp'), path);
    }),
  ).toBe('three');
  const last = found.next();
  abort.abort();
  expect(await last).toEqual({ done: true, value: undefined });
});

test('a save from before the watch began is reported first', async () => {
  const path = join(dir, 'a.mjs');
  await writeFile(path, 'new');
  const abort = new AbortController();
  const found = savesOf(path, 'old', abort.signal);
  expect((await found.next()).value).toBe('new');
  const last = found.next();
  abort.abort();
  expect((await last).done).toBe(true);
});

test('a save made while the previous one is handled is reported next, with the newest content', async () => {
  const path = join(dir, 'a.mjs');
  await writeFile(path, '0');
  const abort = new AbortController();
  const found = savesOf(path, '0', abort.signal);
  const first = found.next();
  await writeFile(path, '1');
  expect((await first).value).toBe('1');
  await writeFile(path, '2');
  await writeFile(path, '3');
  expect((await found.next()).value).toBe('3');
  const last = found.next();
  abort.abort();
  await last;
});
