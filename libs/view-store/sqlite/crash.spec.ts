// A killed process leaves every document up to the checkpoint, and a file that other processes can use at once.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ViewDefinition } from '../view-store.ts';
import { SqliteViewStore } from './sqlite-view-store.ts';

const definitions: readonly ViewDefinition[] = [{ name: 'books', indexes: { byShelf: ['shelf', 'year'] } }];
const program = fileURLToPath(new URL('./child.fake.ts', import.meta.url));
const timeoutMs = 30_000;

let folder = '';
let child: ChildProcess | undefined;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'views-'))));
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Runs the process until it has reported `rounds` checkpoints; returns the last one. */
async function writeUntil(file: string, rounds: number): Promise<number> {
  child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('The child has no output');
  for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= rounds) return Number(line);
  throw new Error('The child ended by itself');
}

async function kill(): Promise<void> {
  if (child === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test(
  'after kill -9 every acknowledged checkpoint is kept, and every document below it',
  async () => {
    const file = join(folder, 'views.sqlite');
    const reported = await writeUntil(file, 20 + Math.floor(Math.random() * 30));
    await kill();
    const store = await SqliteViewStore.open({ file, definitions });
    const passed = (await store.live().checkpoint())['channels/0'] ?? 0;
    expect(passed).toBeGreaterThanOrEqual(reported);
    for await (const { id, version, value } of store.live().all('books')) {
      const due = passed - ((((passed - Number(id.split('/')[0])) % 3) + 3) % 3);
      expect(version).toBeGreaterThanOrEqual(due);
      expect(value['year']).toBe(version);
    }
    expect(await store.live().count('books', { index: 'byShelf', equals: ['39'] })).toBe(3);
    await store.close();
  },
  timeoutMs,
);

test(
  'another process is refused while one uses the file, and let in once that one was killed',
  async () => {
    const file = join(folder, 'views.sqlite');
    await writeUntil(file, 1);
    const refused = SqliteViewStore.open({ file, definitions });
    await expect(refused).rejects.toMatchObject({ code: 'in_use', retryable: false });
    await expect(SqliteViewStore.open({ file, definitions })).rejects.toThrow(file);
    await kill();
    const store = await SqliteViewStore.open({ file, definitions });
    expect(await store.live().get('books', '1/0')).toBeDefined();
    await store.close();
  },
  timeoutMs,
);
