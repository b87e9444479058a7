import { ApiError } from '../../../../libs/client/index.ts';
import type { Replay } from '../../../../libs/client/index.ts';
import { pollUntilEnded } from './poll-replay.ts';

const refused = (status: number | null): ApiError => new ApiError(`${status}`, { status, code: 'x' });
const at = (done: number, ended_at_ms: number | null = null): Replay => ({ done, ended_at_ms }) as Replay;

/** What is reported for polls with these results, in order; the signal comes after the last. */
async function toldOf(polls: readonly (Replay | ApiError)[]) {
  const told: unknown[] = [];
  const abort = new AbortController();
  let count = 0;
  const readReplay = async (): Promise<Replay> => {
    const poll = polls[count++];
    if (count === polls.length) abort.abort();
    if (poll instanceof ApiError) throw poll;
    return poll ?? at(0);
  };
  const last = await pollUntilEnded(at(0), {
    readReplay,
    onProgress: ({ done }) => told.push(done),
    onLost: (error) => told.push((error as Error).message),
    onResumed: () => told.push('resumed'),
    signal: abort.signal,
    pollMs: 1,
  });
  return { told, last };
}

test('a replay is polled until it has ended', async () => {
  expect(await toldOf([at(1), at(2), at(3, 7), at(4)])).toEqual({ told: [0, 1, 2], last: at(3, 7) });
});

test('it waits for a service that restarts meanwhile, and reports that once', async () => {
  expect(await toldOf([at(1), refused(null), refused(503), at(2), at(3, 7)])).toEqual({
    told: [0, 1, 'null', 'resumed', 2],
    last: at(3, 7),
  });
});

test('the signal ends it even while the service is away', async () => {
  expect(await toldOf([at(1), refused(null), refused(null)])).toMatchObject({ last: at(1) });
});

test('a refusal that another poll cannot change ends it', async () => {
  await expect(toldOf([at(1), refused(404), at(2)])).rejects.toMatchObject({ status: 404 });
});
