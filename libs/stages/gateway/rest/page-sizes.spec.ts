// No list answers with much more than 4 MiB, however large its records are, and its cursors lead to all of them.
import { eventOrder, viewDefinitions } from '../../../domain/views/index.ts';
import type { ViewValue } from '../../../domain/views/view.ts';
import { TestBed } from '../test-bed.fake.ts';
import { eventViewWrite } from './event-view-write.fake.ts';
import { pageBytesMax } from './lists/page-bytes.ts';

const KiB = 1024;
const sourceId = 'dc_0000000000000001';
const count = 30;
const large = 'x'.repeat(400 * KiB);
const numbers = Array.from({ length: count }, (_, n) => n + 1);
const pad = (n: number): string => String(n).padStart(16, '0');

const sampleOf = (view: string): ViewValue =>
  JSON.parse(viewDefinitions.find(({ name }) => name === view)?.sample ?? '{}') as ViewValue;

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
  const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const build = bed.views.live();
  for (const n of numbers) {
    const order = eventOrder(`${n}-${n}`);
    const event = eventViewWrite(sourceId, `${n}-${n}`, n);
    const run = {
      ...sampleOf('runs'),
      workspace,
      sourceId,
      runId: `run_${pad(n)}`,
      loggedUnder: sourceId,
      place: n,
      order,
    };
    const attempts = [{ attempt: 1, outcome: 'failed', status: 500, answer: large, startedAt: 1, durationMs: 1 }];
    const delivery = {
      ...sampleOf('deliveries'),
      workspace,
      emitterId: sourceId,
      order,
      eventId: `${n}-${n}`,
      attempts,
    };
    const state = n % 3 === 0 ? 'parked' : 'delivered';
    await build.put([
      { ...event, value: { ...event.value, workspace, event: large } },
      { view: 'runs', id: run.runId, version: n, value: { ...run, console: [{ level: 'log', text: large, at: 1 }] } },
      {
        view: 'deliveries',
        id: `msg_${pad(n)}`,
        version: n,
        value: { ...delivery, state, webhookMessageId: `msg_${pad(n)}` },
      },
    ]);
  }
  const partitions = ['channels', 'runs'].flatMap((topic) =>
    [0, 1].map((partition) => [`${topic}/${partition}`, 1_000]),
  );
  await build.saveCheckpoint(Object.fromEntries(partitions) as Record<string, number>);
});
afterAll(() => bed?.stop());

async function pages(url: string, query: Readonly<Record<string, string>>) {
  const all: { readonly ids: readonly string[]; readonly bytes: number }[] = [];
  for (let after = ''; ;) {
    const { status, text, body } = await bed.call('GET', url, { query: { ...query, after, limit: '100' } });
    expect({ status, total: body.page_info?.['total_count'] }).toEqual({ status: 200, total: count });
    const ids = (body.data as { id: string }[]).map(({ id }) => id);
    const hasMore = body.page_info?.['has_more'] === true;
    all.push({ ids, bytes: Buffer.byteLength(text) });
    // A client can stop here.
    if (!hasMore) return all;
    after = String(body.page_info?.['end_cursor']);
  }
}

test.each([
  ['events', `/v1/sources/${sourceId}/event_summaries`, { expand: 'event' }, (n: number) => `${n}-${n}`],
  ['runs', `/v1/sources/${sourceId}/runs`, {}, (n: number) => `run_${pad(n)}`],
  [
    'runs in `$logs`',
    `/v1/sources/${sourceId}/event_summaries`,
    { expand: 'event', event_name: '$logs' },
    (n: number) => `run_${pad(n)}`,
  ],
  ['deliveries', '/v1/deliveries', {}, (n: number) => `msg_${pad(n)}`],
  ['deliveries with a text', '/v1/deliveries', { q: 'xxx' }, (n: number) => `msg_${pad(n)}`],
])('pages of large %s are of some 4 MiB and lead on to all of them', async (_name, url, query, idOf) => {
  const all = await pages(url, query);
  expect(all.flatMap(({ ids }) => ids)).toEqual(numbers.toReversed().map(idOf));
  expect(Math.max(...all.map(({ bytes }) => bytes))).toBeLessThan(pageBytesMax + 512 * KiB);
  expect(all.length).toBeLessThan(5);
});

test('events of which a page shows only the beginning are listed up to the limit', async () => {
  const all = await pages(`/v1/sources/${sourceId}/event_summaries`, {});
  expect(all.map(({ ids }) => ids.length)).toEqual([count]);
});
