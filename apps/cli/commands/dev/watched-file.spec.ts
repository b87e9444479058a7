import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../libs/client/index.ts';
import type { Session } from '../../session/session.ts';
import { WatchedFile } from './watched-file.ts';

test('attempts while the service is away know that they are repeated, and the user is told once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'pd-watched-'));
  const path = join(dir, 'work.mjs');
  await writeFile(path, 'export default {};');
  const [notes, tries]: [string[], boolean[]] = [[], []];
  const out = { note: (text: string) => notes.push(text), noteStyle: { warning: (text: string) => text } };
  const watched = new WatchedFile({ out } as unknown as Session, path, new AbortController().signal);
  await watched.runUntilSuccess(async (_code, isAgain) => {
    tries.push(isAgain);
    if (tries.length < 3) throw new ApiError('x', { status: null, code: 'no_answer' });
  });
  expect(tries).toEqual([false, true, true]);
  expect(notes).toEqual([expect.stringMatching(/^The service did not answer.*Trying again/)]);
  await rm(dir, { recursive: true });
});

test('an error is reported with its place first, in the file that the service names', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'pd-watched-'));
  const path = join(dir, 'work.mjs');
  const reportedErrors = async (text: string, message: string): Promise<readonly string[]> => {
    await writeFile(path, text);
    const [errors, stop] = [[] as string[], new AbortController()];
    const out = {
      printError: (line: string) => errors.push(line),
      note: (line: string) => line.startsWith('Waiting') && stop.abort(),
    };
    const watched = new WatchedFile({ out } as unknown as Session, path, stop.signal);
    await watched
      .runUntilSuccess(async () => {
        const details = { line: 3, column: 9 };
        throw new ApiError(message, { status: 400, code: 'component_invalid', details });
      })
      .catch(() => undefined);
    return errors;
  };
  const inOne = await reportedErrors('export default {};', 'It is wrong (line 3, column 9)');
  expect(inOne).toEqual(['work.mjs:3:9: It is wrong']);
  await writeFile(join(dir, 'lib.mjs'), '');
  const inOther = await reportedErrors("import './lib.mjs';", 'It is wrong (lib.mjs, line 3, column 9)');
  expect(inOther).toEqual(['lib.mjs:3:9: It is wrong']);
  await rm(dir, { recursive: true });
});
