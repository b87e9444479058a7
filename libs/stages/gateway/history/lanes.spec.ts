import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { signedTopics } from '../../../domain/flow.ts';
import { derivedId, timedId } from '../../../domain/id.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import { viewDefinitions } from '../../../domain/views/index.ts';
import type { ViewValue } from '../../../domain/views/view.ts';
import { outgoing } from '../../../log/contract/harness.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { HistoryReader } from './history-reader.ts';
import { narrowLanes, clockSkewMs } from './lanes.ts';
import type { Question } from './question.ts';

const partitions = 8;
const workspace = 'o_1';
const createdAt = Date.parse('2026-06-01T12:00:00Z');
const [webhook, listening, wide] = [derivedId('wh', 1), derivedId('sub', 1), derivedId('sub', 2)];
const source = derivedId('dc', 1);
const everything = partitions * 5;

let views: MemoryViewStore;
beforeEach(async () => {
  views = new MemoryViewStore(viewDefinitions);
  const put = (view: string, id: string, value: ViewValue): Promise<void> =>
    views.live().put([{ view, id, version: 1, value: { workspace, createdAt, ...value } }]);
  await put('webhooks', webhook, { name: '', url: 'https://example.com/hook' });
  await put('subscriptions', listening, { emitterId: source, listenerId: webhook, triple: '' });
  await put('subscriptions', wide, { emitterId: workspace, listenerId: webhook, triple: '' });
});

const narrow = (question: Omit<Question, 'workspace'>, of = workspace) =>
  narrowLanes({ workspace: of, ...question }, views.live(), partitions);

test('starts reading at the time in a request id', async () => {
  const requestId = timedId(derivedId('req', 1), createdAt);
  for (const question of [{ chainId: requestId }, { subject: requestId }])
    expect(await narrow(question)).toMatchObject({
      since: createdAt - clockSkewMs,
      commandsSince: createdAt - clockSkewMs,
    });
  const from = createdAt + 3_600_000;
  expect(await narrow({ chainId: requestId, from })).toMatchObject({ since: from - clockSkewMs });
  expect(await narrow({ chainId: derivedId('req', 1) })).toMatchObject({ since: 0, commandsSince: 0 });
});

test('reads only commands from before a webhook or a subscription was created', async () => {
  for (const subject of [webhook, listening, wide])
    expect(await narrow({ subject })).toMatchObject({ since: createdAt - clockSkewMs, commandsSince: 0 });
  expect(await narrow({ subject: webhook }, 'o_2')).toMatchObject({ since: 0 });
});

test('reads only the partition of the source for a subscription to one source', async () => {
  const lanes = async (subject: string): Promise<number> => (await narrow({ subject })).lanes.length;
  const ofSource = await lanes(source);
  expect(ofSource).toBeLessThan(signedTopics.length + 1);
  expect(await lanes(listening)).toBe(ofSource);
  expect(await lanes(wide)).toBeGreaterThanOrEqual(everything);
});

test('finds the command that created a webhook, however long it waited', async () => {
  const log = new MemoryLog({ partitions });
  const put = (at: number): Promise<number> => {
    const record = { ...chainFrom('req_1', 'key_1'), workspace, key: webhook, at };
    return log.request(outgoing('commands', 0, record) as OutgoingOn<'commands'>);
  };
  const waited = createdAt - 86_400_000;
  await put(waited - 86_400_000);
  await put(waited);
  const reader = new HistoryReader({ log, views: () => views.live(), heartbeatMs: () => 15_000, onFault: () => {} });
  const found = async (from?: number): Promise<readonly string[]> => {
    const question = { workspace, subject: webhook, from };
    const page = await reader.page(await reader.startPosition(question, undefined), { question, limit: 10 });
    return page.events.map(({ time }) => time);
  };
  const times = [waited - 86_400_000, waited].map((at) => new Date(at).toISOString());
  expect(await found()).toEqual(times);
  expect(await found(waited)).toEqual(times.slice(1));
});

test('a stream over more partitions than a cursor holds is refused before it begins', async () => {
  const log = new MemoryLog({ partitions: 1_000 });
  const reader = new HistoryReader({ log, views: () => views.live(), heartbeatMs: () => 15_000, onFault: () => {} });
  const begun: string[] = [];
  const headers = (): OutgoingHttpHeaders => {
    begun.push('begun');
    return {};
  };
  const request = { question: { workspace }, after: undefined, isAdmitted: () => true, present: () => ({}) };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  await expect(reader.follow(response, headers, request)).rejects.toThrow(/ask one `topic` at a time/);
  expect(begun).toEqual([]);
});
