// How long a search among deliveries takes, and how long it blocks the thread that answers requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Caller } from '../../../libs/stages/gateway/control/api-keys.ts';
import { eventOrder, viewDefinitions } from '../../../libs/domain/views/index.ts';
import type { DeliveryView } from '../../../libs/domain/views/index.ts';
import { listDeliveries } from '../../../libs/stages/gateway/rest/deliveries/list-deliveries.ts';
import type { DeliveryFilters } from '../../../libs/stages/gateway/rest/deliveries/delivery-search.ts';
import { SqliteViewStore } from '../../../libs/view-store/sqlite/sqlite-view-store.ts';
import { removeLater } from '../../support/processes/left-behind.ts';
import { figure, quantile } from '../report/figure.ts';
import type { Bench, Figure } from '../report/figure.ts';

const sizes = [10_000, 100_000] as const;
const batchSize = 1_000;
const workspace = 'o_0000000000000000';
const caller = { workspace } as Caller;
const baseTime = 1_700_000_000_000;
/** The answer of a failing receiver; a page of a search examines a thousand of them. */
const answer = '{"error":"the database is away","trace":"'.padEnd(2_000, 'x');

export const deliveriesSearch: Bench = {
  name: 'deliveries.search',
  runs: 1,
  run: ({ size }) => measureSizes(size === undefined ? sizes : [size]),
};

async function measureSizes(requestedSizes: readonly number[]): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const size of requestedSizes) figures.push(...(await measureSize(size)));
  return figures;
}

async function measureSize(size: number): Promise<readonly Figure[]> {
  const directory = removeLater(mkdtempSync(join(tmpdir(), 'search-')));
  const store = await SqliteViewStore.open({ file: join(directory, 'views.sqlite'), definitions: viewDefinitions });
  try {
    for (let n = 0; n < size; n += batchSize)
      await store.live().put(
        Array.from({ length: batchSize }, (_, i) => {
          const value = deliveryView(n + i);
          return { view: 'deliveries', id: value.webhookMessageId, version: n + i, isNew: true, value };
        }),
      );
    return await measureSearch(store, size);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

/** A delivery, of which every tenth failed. */
function deliveryView(n: number): DeliveryView {
  const isFailed = n % 10 === 0;
  const eventId = `${baseTime + n}-${n}`;
  const attempt = { attempt: 1, status: isFailed ? 500 : 200, failure: null, message: null };
  return {
    workspace,
    subscriptionId: 'sub_0000000000000001',
    webhookId: 'wh_0000000000000001',
    emitterId: 'dc_0000000000000001',
    eventId,
    order: eventOrder(eventId),
    channel: '',
    webhookMessageId: `msg_${String(n).padStart(16, '0')}`,
    state: isFailed ? 'parked' : 'delivered',
    attemptCount: 1,
    nextAttemptAt: null,
    parkedReason: null,
    updatedAt: baseTime + n,
    attempts: [
      {
        ...attempt,
        outcome: isFailed ? 'failed' : 'delivered',
        answer: isFailed ? answer : 'ok',
        startedAt: baseTime + n,
        durationMs: 3,
      },
    ],
  };
}

async function measureSearch(store: SqliteViewStore, size: number): Promise<readonly Figure[]> {
  const parts = { views: () => store.live(), log: { partitions: 1 } };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const durations: number[] = [];
  const page = async (query: DeliveryFilters, after?: string): Promise<string | null> => {
    const startedAt = performance.now();
    const { page_info } = await listDeliveries(parts, caller, query, { limit: 25, ...(after && { after }) });
    durations.push(performance.now() - startedAt);
    return page_info.end_cursor;
  };
  delays.enable();
  const startedAt = performance.now();
  for (let after = await page({ q: 'of nobody' }); after !== null;) after = await page({ q: 'of nobody' }, after);
  const throughAllMs = performance.now() - startedAt;
  delays.disable();
  const pages = durations.splice(0);
  await page({ q: 'database is away' });
  const [foundMs = 0] = durations;
  const name = `deliveries.search.${size}`;
  return [
    figure(`${name}.page.p50`, quantile(pages, 0.5), 'ms', '<= 250 ms'),
    figure(`${name}.page.p99`, quantile(pages, 0.99), 'ms', '<= 500 ms'),
    figure(`${name}.found`, foundMs, 'ms', '<= 250 ms'),
    figure(`${name}.all`, throughAllMs, 'ms'),
    figure(`${name}.held`, delays.max / 1e6, 'ms', '<= 50 ms'),
  ];
}
