import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../libs/client/index.ts';
import type { Session } from '../../session/session.ts';
import { WatchedFile } from './watched-file.ts';

test('what is tried again while the service is away knows it, and that is told once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'pd-watched-'));
  const path = join(dir, 'work.mjs');
  await writeFile(path, 'export default {};');
  const [notes, tries]: [string[], boolean[]] = [[], []];
  const out = { note: (text: string) => notes.push(text), noteStyle: { warning: (text: string) => text } };
  const watched = new WatchedFile({ out } as unknown as Session, path, new AbortController().signal);
  await watched.once(async (_code, isAgain) => {
    tries.push(isAgain);
    if (tries.length < 3) throw new ApiError('x', { status: null, code: 'no_answer' });
  });
  expect(tries).toEqual([false, true, true]);
  expect(notes).toEqual([expect.stringMatching(/^The service did not answer.*Trying again/)]);
  await rm(dir, { recursive: true });
});
