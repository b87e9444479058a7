import type { StreamMessage } from '../../../libs/client/index.ts';
import { ApiError } from '../../../libs/client/index.ts';
import { follow } from './follow.ts';
import type { Connection as Opening } from './follow.ts';

/** Each connection delivers some numbers, then ends with the given failure, if any. */
interface Connection {
  readonly isRefused?: true;
  readonly brings: readonly number[];
  readonly fails?: Error;
}

async function followed(connections: readonly Connection[], after?: string) {
  const abort = new AbortController();
  const opened: (string | undefined)[] = [];
  const told: string[] = [];
  async function* open({ after: from, onOpen }: Opening): AsyncGenerator<StreamMessage<number>> {
    const connection = connections[opened.length];
    opened.push(from);
    if (connection?.isRefused === true) throw connection.fails;
    onOpen();
    for (const n of connection?.brings ?? []) yield { id: String(n), data: n };
    if (connection?.fails !== undefined) throw connection.fails;
    if (opened.length >= connections.length) abort.abort();
  }
  const got: number[] = [];
  const { signal } = abort;
  const telling = { onLost: () => told.push('lost'), onResumed: () => told.push('resumed') };
  for await (const { data } of follow({ open, signal, after, firstWaitMs: 1, ...telling })) got.push(data);
  return { got, opened, told };
}

const broken = new ApiError('gone', { status: null, code: 'no_answer' });

test('a lost connection resumes after the last record, and is reported once despite many attempts', async () => {
  expect(
    await followed([
      { brings: [1, 2], fails: broken },
      { brings: [], isRefused: true, fails: broken },
      { brings: [] },
      { brings: [3] },
    ]),
  ).toEqual({ got: [1, 2, 3], opened: [undefined, '2', '2', '2'], told: ['lost', 'resumed', 'lost', 'resumed'] });
});

test('it starts after the given record', async () => {
  expect(await followed([{ brings: [8] }], '7')).toEqual({ got: [8], opened: ['7'], told: [] });
});

test('a refusal that a retry cannot change ends it', async () => {
  const refusal = new ApiError('no such source', { status: 404, code: 'not_found' });
  await expect(followed([{ brings: [1], fails: refusal }])).rejects.toBe(refusal);
});

test('it retries when the service is overloaded or stopping', async () => {
  const refusals = [429, 503].map((status) => new ApiError('later', { status, code: 'x' }));
  const connections = refusals.map((fails) => ({ brings: [], isRefused: true, fails }) as const);
  expect(await followed([...connections, { brings: [1] }])).toMatchObject({ got: [1] });
});
