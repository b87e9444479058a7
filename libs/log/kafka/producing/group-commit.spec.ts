import { PortError } from '../../../domain/port-error.ts';
import type { OutboundRecord } from '../kafkajs/producer/outbound-record.ts';
import { limits } from '../kafka-limits.ts';
import { GroupCommit, type Entry, type GroupCommitOptions } from './group-commit.ts';

const row: OutboundRecord = { topic: 't', partition: 0, key: 'k', value: '{}', headers: {}, timestamp: '0', bytes: 10 };
const entry = (rows = 1, bytes = 10): Entry => ({ rows: Array.from({ length: rows }, () => row), bytes });

interface Commit {
  readonly entries: readonly Entry[];
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

/** Commits that end when the test says so; offsets count up from 0. */
function started(options: Partial<GroupCommitOptions<Entry>> = {}): { lane: GroupCommit<Entry>; commits: Commit[] } {
  const commits: Commit[] = [];
  let offset = 0;
  const lane = new GroupCommit<Entry>({
    groupBytesMax: 100,
    commit: (entries) =>
      new Promise((resolve, reject) => {
        const done = (): void => resolve(entries.flatMap(({ rows }) => rows).map(() => offset++));
        commits.push({ entries, done, fail: reject });
      }),
    ...options,
  });
  return { lane, commits };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('entries submitted during a commit share the next one, and each gets its own offsets', async () => {
  const { lane, commits } = started();
  const all = [lane.submit(entry()), lane.submit(entry(2)), lane.submit(entry())];
  expect(commits.map(({ entries }) => entries.length)).toEqual([1]);
  commits[0]?.done();
  await settled();
  expect(commits.map(({ entries }) => entries.length)).toEqual([1, 2]);
  commits[1]?.done();
  expect(await Promise.all(all)).toEqual([[0], [1, 2], [3]]);
});

test('a group is bounded in bytes', async () => {
  const { lane, commits } = started();
  const all = [entry(), entry(1, 60), entry(1, 60), entry(2), entry()].map((one) => lane.submit(one));
  for (let i = 0; i < 3; i++) {
    commits[i]?.done();
    await settled();
  }
  expect(commits.map(({ entries }) => entries.length)).toEqual([1, 1, 3]);
  await Promise.all(all);
});

test('when a commit fails, waiting entries fail as not done; later ones are committed', async () => {
  const { lane, commits } = started();
  const [first, second] = [lane.submit(entry()), lane.submit(entry())];
  commits[0]?.fail(new PortError('unknown_outcome', 'lost'));
  await expect(first).rejects.toMatchObject({ code: 'unknown_outcome' });
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  expect(commits).toHaveLength(1);
  const third = lane.submit(entry());
  commits[1]?.done();
  await expect(third).resolves.toEqual([0]);
});

test('an entry is refused at once when too many bytes wait', async () => {
  const { lane, commits } = started();
  const first = lane.submit(entry());
  const waiting = lane.submit(entry(1, limits.pendingBytes));
  expect(() => lane.submit(entry())).toThrow(expect.objectContaining({ code: 'unavailable' }));
  for (const i of [0, 1]) {
    commits[i]?.done();
    await settled();
  }
  await Promise.all([first, waiting]);
});

test('idle() waits for running and waiting commits', async () => {
  const { lane, commits } = started();
  const all = [lane.submit(entry()), lane.submit(entry())];
  let idle = false;
  const waited = lane.waitUntilIdle().then(() => (idle = true));
  commits[0]?.done();
  await settled();
  expect(idle).toBe(false);
  commits[1]?.done();
  await Promise.all([...all, waited]);
  expect(idle).toBe(true);
});

test('after a shared commit the next one waits for more entries; after a single one it does not', async () => {
  const { lane, commits } = started({ gatherMs: 60 });
  const all = [lane.submit(entry())];
  commits[0]?.done();
  await all[0];
  all.push(lane.submit(entry()), lane.submit(entry()), lane.submit(entry()));
  expect(commits).toHaveLength(2);
  commits[1]?.done();
  await settled();
  expect(commits.map(({ entries }) => entries.length)).toEqual([1, 1, 2]);
  commits[2]?.done();
  await all[3];
  all.push(lane.submit(entry()));
  await settled();
  expect(commits).toHaveLength(3);
  all.push(lane.submit(entry()));
  while (commits.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(commits[3]?.entries).toHaveLength(2);
  commits[3]?.done();
  expect(await Promise.all(all)).toHaveLength(6);
});
