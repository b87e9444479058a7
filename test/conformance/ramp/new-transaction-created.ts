// Emits older transactions on deploy, follows absolute links from page to page, and emits the newest first.
import { expect } from '@jest/globals';
import { dailyTimer } from '../world.ts';
import type { OptionsPage, World } from '../world.ts';
import type { Story } from '../story.ts';
import type { UpstreamRequest } from '../upstream.ts';

const path = '@pipedream/ramp@0.1.2/sources/new-transaction-created/new-transaction-created.mjs';
const host = 'api.ramp.com';
const base = '/developer/v1';
const token = 'a-token-for-transactions';

const [t1, t2, t3] = [1, 2, 3].map((day) => ({ id: `t${day}`, user_transaction_time: `2024-01-0${day}T00:00:00Z` }));

export const newTransactionCreated: Story = {
  key: 'ramp-new-transaction-created',
  async play(world) {
    world.upstream.serve(host, answer);
    const ramp = await world.account('ramp', { oauth_access_token: token });
    const source = await world.deploy(path, { ramp, departmentId: 'd1', timer: dailyTimer });
    const events = await world.events(source, 3);
    expect(events.map(({ event, metadata: { id, summary, ts } }) => ({ event, id, summary, ts }))).toEqual([
      { event: t1, id: 't1', summary: 'New Transaction ID: t1', ts: 1704067200000 },
      { event: t2, id: 't2', summary: 'New Transaction ID: t2', ts: 1704153600000 },
      { event: t3, id: 't3', summary: 'New Transaction ID: t3', ts: 1704240000000 },
    ]);
    expect(await world.run(source)).toMatchObject({ outcome: 'succeeded', emitted: [], deduped: 3 });

    const plain = { order_by_date_asc: 'true', department_id: 'd1', page_size: '1000' };
    expect(polls(world).map(({ query }) => query)).toEqual([
      plain,
      { ...plain, pg: '2' },
      { ...plain, start: 't3' },
      { ...plain, start: 't3', pg: '2' },
    ]);
    expect(polls(world).every(({ headers }) => headers['authorization'] === `Bearer ${token}`)).toBe(true);

    await expectOptions(world, { ramp });
    const sample = await world.client.emitSample(source.id);
    expect(sample).toMatchObject({ outcome: 'succeeded', emitted: { length: 1 } });
    const withSample = await world.events(source, 4);
    expect(withSample.at(-1)).toMatchObject({ event: { state: 'CLEARED' }, metadata: { sample: true } });
    await world.client.deleteSource(source.id);
  },
};

function answer({ path: asked, query }: UpstreamRequest): { readonly body: unknown } | undefined {
  const next = (page: string): string => `https://${host}${base}/${page}`;
  if (asked === `${base}/transactions`) {
    const last = query['pg'] === '2';
    return {
      body: last ? { data: [t3], page: { next: null } } : { data: [t1, t2], page: { next: next('transactions?pg=2') } },
    };
  }
  if (asked !== `${base}/departments`) return undefined;
  const last = query['start'] === 'd1';
  const data = [last ? { id: 'd2', name: 'Second' } : { id: 'd1', name: 'First' }];
  return { body: { data, page: { next: last ? null : next('departments?start=d1') } } };
}

const polls = (world: World): readonly UpstreamRequest[] =>
  world.upstream.requestsTo(host).filter(({ path: asked }) => asked === `${base}/transactions`);

/** The second page of options is requested with the context that the component returned with the first. */
async function expectOptions(world: World, configured_props: Readonly<Record<string, unknown>>): Promise<void> {
  const ask = (more = {}): Promise<OptionsPage> =>
    world.options(path, { prop_name: 'departmentId', configured_props, ...more });
  const first = await ask();
  expect(first).toMatchObject({ options: [{ label: 'First', value: 'd1' }] });
  const second = await ask({ page: 1, prev_context: first.context });
  expect(second).toMatchObject({ options: [{ label: 'Second', value: 'd2' }] });
}
