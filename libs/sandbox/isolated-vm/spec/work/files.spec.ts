// A run's files in /tmp behave as on Node's disk, have a size limit, and are deleted with the run.
import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../../../../domain/json.ts';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';

jest.setTimeout(60_000);

let sandbox: IsolatedVmSandbox;
const limits = { sliceMs: 20_000 };
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits })));
afterAll(() => sandbox.close());

const require = createRequire(import.meta.url);

/** The fields of a caught error that identify it. */
const setup = `const fs = require('fs'); const fsp = require('node:fs/promises'); const path = require('path');
  const failure = async (act) => { try { return await act(); } catch (e) { return [e.name, e.code, e.errno, e.syscall, e.path, e.dest, e.message]; } };
  const at = (...names) => path.join(dir, ...names);`;

async function inNode(body: string): Promise<Json> {
  const dir = mkdtempSync(join(tmpdir(), 'files-'));
  try {
    const run = new Function('require', 'dir', `return (async () => { ${setup} ${body} })()`) as (
      ...args: readonly unknown[]
    ) => Promise<unknown>;
    const text = JSON.stringify((await run(require, dir)) ?? null);
    return JSON.parse(text.replaceAll(dir, '/tmp')) as Json;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function inIsolate(body: string, sourceId = `dc_files_${body}`): Promise<Json | undefined> {
  const code = source(`const dir = '/tmp'; ${setup} this.$emit((await (async () => { ${body} })()) ?? null);`);
  const { end, error, emits } = await invoke(sandbox, code, { sourceId });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}

test.each([
  [
    'files are written, read, appended to and cut',
    `fs.writeFileSync(at('a'), 'hé'); fs.appendFileSync(at('a'), Buffer.from('llo')); fs.writeFileSync(at('b'), new Uint16Array([258]));
    const found = [fs.readFileSync(at('a'), 'utf8'), fs.readFileSync(at('a'), { encoding: 'hex' }), [...fs.readFileSync(at('b'))]];
    fs.truncateSync(at('a'), 2); fs.truncateSync(at('b'), 4);
    return [...found, fs.readFileSync(at('a')).length, [...fs.readFileSync(at('b'))], fs.existsSync(at('a')), fs.existsSync(at('c')), fs.existsSync(undefined)];`,
  ],
  [
    'callbacks and promises give what the synchronous functions give',
    `const call = (name, ...args) => new Promise((resolve) => fs[name](...args, (error, ...values) => resolve([error && error.code, ...values.map(String)])));
    const first = [await call('writeFile', at('a'), 'x'), await call('readFile', at('a'), 'utf8'), await call('readFile', at('none')), await call('mkdir', at('d')),
      await call('readdir', dir), await call('stat', at('none')), await call('access', at('a'), fs.constants.W_OK), await call('unlink', at('a'))];
    await fsp.writeFile(at('b'), 'y'); await fsp.appendFile(at('b'), 'z'); await fsp.rename(at('b'), at('d', 'c')); await fsp.copyFile(at('d', 'c'), at('e'));
    return [first, await fsp.readFile(at('e'), 'utf8'), await fsp.readdir(dir), await failure(() => fsp.rm(at('none'))), fs.promises === fsp,
      await new Promise((resolve) => fs.exists(at('e'), resolve))];`,
  ],
  [
    'errors are those of Node',
    `fs.writeFileSync(at('file'), ''); fs.mkdirSync(at('full', 'within'), { recursive: true });
    const acts = [() => fs.readFileSync(at('none')), () => fs.readFileSync(at('file', 'x')), () => fs.readFileSync(dir), () => fs.writeFileSync(at('none', 'x'), ''),
      () => fs.mkdirSync(at('file')), () => fs.mkdirSync(at('file', 'x')), () => fs.mkdirSync(at('file', 'x'), { recursive: true }), () => fs.mkdirSync(at('file'), { recursive: true }),
      () => fs.rmdirSync(at('full')), () => fs.rmdirSync(at('file')), () => fs.readdirSync(at('file')), () => fs.readdirSync(at('none')),
      () => fs.rmSync(at('none')), () => fs.rmSync(at('full')), () => fs.renameSync(at('none'), at('x')), () => fs.renameSync(at('full'), at('file')),
      () => fs.renameSync(at('file'), at('full')), () => fs.renameSync(at('full'), at('full', 'within', 'x')), () => fs.copyFileSync(at('none'), at('x')),
      () => fs.copyFileSync(at('file'), at('file2'), 1) ?? fs.copyFileSync(at('file'), at('file2'), 1), () => fs.statSync(at('none')), () => fs.lstatSync(at('none')),
      () => fs.accessSync(at('none')), () => fs.accessSync(at('file'), fs.constants.X_OK), () => fs.openSync(at('file'), 'wx'), () => fs.openSync(at('file'), 'q'),
      () => fs.readSync(999, Buffer.alloc(1)), () => fs.closeSync(999), () => fs.writeSync(fs.openSync(at('file'), 'r'), 'x'), () => fs.readlinkSync(at('file')),
      () => fs.utimesSync(at('none'), 1, 1), () => fs.chmodSync(at('none'), 0o600), () => fs.realpathSync(at('none')), () => fs.unlinkSync(at('none')),
      () => fs.opendirSync(at('none')).path, () => fs.readFileSync('a\\0b'), () => fs.readFileSync(''), () => fs.cpSync(at('full'), at('x')), () => fs.readFile(at('file')),
      () => fs.statSync(at('none'), { throwIfNoEntry: false }) === undefined, () => fs.mkdtempSync(at('none', 'x')), () => fs.rmSync(at('none'), { force: true }) === undefined];
    const told = []; for (const act of acts) told.push((await failure(act)) ?? null);
    return told.map((one) => !Array.isArray(one) ? one : one[1]?.startsWith('ERR_') || one[3] === 'opendir' ? one.slice(0, 2) : one);`,
  ],
  [
    'stat tells of files and folders',
    `fs.writeFileSync(at('a'), 'abc', { mode: 0o600 }); fs.utimesSync(at('a'), 1, new Date(2000)); fs.mkdirSync(at('d')); fs.chmodSync(at('a'), '640');
    const s = fs.statSync(at('a')); const d = await fsp.lstat(at('d'));
    return [s.size, s.isFile(), s.isDirectory(), s.isSymbolicLink(), s.mtimeMs, s.mtime, s.atimeMs, (s.mode & 0o7777).toString(8), (s.mode & fs.constants.S_IFMT) === fs.constants.S_IFREG,
      d.isDirectory(), d.isFile(), (d.mode & fs.constants.S_IFMT) === fs.constants.S_IFDIR, s instanceof fs.Stats, typeof s.birthtime.getTime, typeof s.ino, fs.statSync(at('a'), { bigint: true }).size === 3n,
      fs.realpathSync(at('d', '..', 'a')), fs.realpathSync.native(at('a')), await new Promise((resolve) => fs.realpath.native(at('a'), (error, found) => resolve(error ?? found)))];`,
  ],
  [
    'folders are made, listed, copied and removed',
    `const first = [fs.mkdirSync(at('a', 'b', 'c'), { recursive: true }), fs.mkdirSync(at('a'), { recursive: true }), fs.mkdirSync(at('x'))];
    fs.writeFileSync(at('a', 'b', 'f'), '1'); fs.cpSync(at('a'), at('copy'), { recursive: true });
    const entries = fs.readdirSync(dir, { withFileTypes: true }).map((entry) => [entry.name, entry.isDirectory(), entry.parentPath]).sort();
    const made = fs.mkdtempSync(at('t-')); const opened = []; for await (const entry of fs.opendirSync(at('a', 'b'))) opened.push(entry.name);
    fs.rmSync(at('a'), { recursive: true }); fs.renameSync(at('copy'), at('x')); fs.rmdirSync(made);
    return [first, entries, path.dirname(made), path.basename(made).length, opened.sort(), fs.readdirSync(dir, { recursive: true }).sort(), fs.readdirSync(at('x'), 'buffer').map(String), fs.readFileSync(at('x', 'b', 'f'), 'utf8')];`,
  ],
  [
    'descriptors are read and written where they stand and where they are told to',
    `const fd = fs.openSync(at('a'), 'w+'); const wrote = [fs.writeSync(fd, 'hello'), fs.writeSync(fd, Buffer.from('xyz'), 1, 2), fs.writeSync(fd, 'J', 0)];
    const buffer = Buffer.alloc(10); const read = [fs.readSync(fd, buffer, 0, 4, 0), fs.readSync(fd, buffer, { offset: 4, position: 5 }), fs.readSync(fd, buffer)];
    fs.ftruncateSync(fd, 3); const size = fs.fstatSync(fd).size; fs.closeSync(fd);
    const appending = fs.openSync(at('a'), 'a+'); fs.writeSync(appending, '!', 0); fs.closeSync(appending);
    const more = await new Promise((resolve, reject) => fs.open(at('a'), (error, opened) => error ? reject(error) : fs.read(opened, Buffer.alloc(2), 0, 2, 1, (e, count, b) => resolve([count, b.toString()]))));
    const reading = await require('util').promisify(fs.read)(fs.openSync(at('a'), 'r'), Buffer.alloc(9), 0, 9, 0);
    const fd2 = fs.openSync(at('gone'), 'w+'); fs.writeSync(fd2, 'still'); fs.unlinkSync(at('gone')); fs.readSync(fd2, buffer, 0, 5, 0);
    return [wrote, read, buffer.toString('latin1'), size, fs.readFileSync(at('a'), 'utf8'), more, reading.bytesRead, reading.buffer.toString('latin1'), fs.readFileSync(fs.openSync(at('a'), 'r'), 'utf8')];`,
  ],
  [
    'a handle has the functions as methods',
    `const handle = await fsp.open(at('a'), 'w+'); await handle.writeFile('hello'); const { bytesWritten } = await handle.write(' you');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(5), 0, 5, 0); await handle.truncate(6); const { size } = await handle.stat(); await handle.close();
    await fsp.writeFile(at('b'), (async function* () { yield 'a'; yield Buffer.from('b'); })());
    return [bytesWritten, bytesRead, buffer.toString(), size, await fsp.readFile(at('a'), 'utf8'), await fsp.readFile(at('b'), 'utf8'), await failure(() => fsp.open(at('none')))];`,
  ],
  [
    'streams read and write, whole and in part, and tell what is wrong',
    `const { pipeline } = require('stream/promises'); const { Readable } = require('stream'); const { text, json, buffer } = require('stream/consumers');
    const out = fs.createWriteStream(at('a')); const opened = new Promise((resolve) => out.on('open', (fd) => resolve(typeof fd)));
    await pipeline(Readable.from(['one ', Buffer.from('two '), 'three']), out);
    const parts = []; for await (const part of fs.createReadStream(at('a'), { start: 4, end: 6, encoding: 'utf8' })) parts.push(part);
    const large = Buffer.alloc(200000, 'ab'); await pipeline([large], fs.createWriteStream(at('large')));
    const copied = await buffer(fs.createReadStream(at('large'), { highWaterMark: 1000 }));
    const added = fs.createWriteStream(at('a'), { flags: 'a' }); added.write('!'); await new Promise((resolve) => added.end('?', resolve));
    const missing = await new Promise((resolve) => fs.createReadStream(at('none')).on('error', (e) => resolve([e.code, e.syscall, e.path])));
    const refused = await new Promise((resolve) => fs.createWriteStream(at('none', 'x')).on('error', (e) => resolve(e.code)));
    fs.writeFileSync(at('json'), '{"a":1}'); const r = fs.createReadStream(at('json'));
    return [await opened, out.bytesWritten, out.path, parts, copied.equals(large), await text(fs.createReadStream(at('a'))), missing, refused, await json(r), r.bytesRead, r instanceof fs.ReadStream, r instanceof Readable];`,
  ],
])('%s', async (_name, body) => {
  expect(await inIsolate(body)).toEqual(await inNode(body));
});

test('outside of /tmp nothing can be read or created', async () => {
  const value = await inIsolate(`
    const code = async (act) => (await failure(act))[1];
    return [await code(() => fs.readFileSync('/etc/passwd')), await code(() => fs.writeFileSync('/x', '')), await code(() => fs.mkdirSync('/home/a')),
      await code(() => fs.writeFileSync('/tmp/../x', '')), await code(() => fs.rmSync('/tmp', { recursive: true })), await code(() => fs.renameSync('/tmp', '/y')),
      await code(() => fs.symlinkSync('/etc', '/tmp/etc')), fs.readdirSync('/'), require('os').tmpdir(), fs.readdirSync('/tmp'),
      (await failure(() => fs.writeFileSync('/x', ''))).at(-1)];`);
  expect(value).toEqual([
    'ENOENT',
    'EACCES',
    'ENOENT',
    'EACCES',
    'EACCES',
    'EACCES',
    'EPERM',
    ['tmp'],
    '/tmp',
    [],
    "EACCES: permission denied, open '/x' (components have /tmp)",
  ]);
});

test('each run begins with an empty /tmp, also when it runs beside another', async () => {
  const body = `const before = fs.readdirSync('/tmp'); fs.writeFileSync('/tmp/a', 'x');
    await new Promise((resolve) => setTimeout(resolve, 50)); return [before, fs.readdirSync('/tmp')];`;
  const runs = await Promise.all([1, 2, 3].map(() => inIsolate(body, 'dc_files_beside')));
  expect(runs).toEqual(Array(3).fill([[], ['a']]));
  expect(await inIsolate(body, 'dc_files_beside')).toEqual([[], ['a']]);
});

test('the files of a run are limited to 64 MiB and 10,000 entries, and removing them frees space', async () => {
  const value = await inIsolate(`
    const MiB = Buffer.alloc(1024 * 1024);
    const fill = async () => { let count = 0; for (;;) { const error = await failure(() => fs.appendFileSync('/tmp/a', MiB)); if (error) return [count, error[1], error[6]]; count++; } };
    const first = await fill();
    fs.rmSync('/tmp/a');
    const again = (await fill())[0];
    const fd = fs.openSync('/tmp/a', 'r+'); fs.unlinkSync('/tmp/a');
    const held = (await failure(() => fs.writeFileSync('/tmp/b', MiB)))[1];
    fs.closeSync(fd); fs.writeFileSync('/tmp/b', MiB); fs.rmSync('/tmp/b');
    let entries = 0; let full; while (!(full = await failure(() => fs.writeFileSync('/tmp/n' + entries, '')))) entries++;
    const open = []; let many; while (!(many = await failure(() => { open.push(fs.openSync('/tmp/n1', 'r')); }))) {}
    return [first, again, held, entries, full[6], open.length, many[1]];`);
  expect(value).toEqual([
    [64, 'ENOSPC', "ENOSPC: no space left on device, write '/tmp/a' (the files of a run may have 67108864 bytes)"],
    64,
    'ENOSPC',
    10_000,
    "ENOSPC: no space left on device, open '/tmp/n10000' (a run may have 10000 files and folders)",
    1_000,
    'EMFILE',
  ]);
});
