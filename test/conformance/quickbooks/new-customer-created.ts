// Queries in a language like SQL until a page is empty; deploy and timer share one function to emit.
import { expect } from '@jest/globals';
import { dailyTimer } from '../world.ts';
import type { Story } from '../story.ts';

const path = '@pipedream/quickbooks@0.8.0/sources/new-customer-created/new-customer-created.mjs';
const host = 'quickbooks.api.intuit.com';
const token = 'a-token-for-customers';

const customer = (Id: string, DisplayName: string, CreateTime: string): Readonly<Record<string, unknown>> => ({
  Id,
  DisplayName,
  MetaData: { CreateTime },
});
const first = customer('1', 'A', '2024-01-01T00:00:00Z');
const second = customer('2', 'B', '2024-01-02T00:00:00Z');

/** The query; that of the second page has a start position, the first none. */
const ask = (since: string, more = ''): string =>
  `select * from Customer Where Metadata.CreateTime >= '${since}' orderby Metadata.CreateTime desc maxresults 100 ${more} `;

export const newCustomerCreated: Story = {
  key: 'quickbooks-new-customer-created',
  async play(world) {
    world.upstream.serve(host, ({ path: asked, query }) => {
      if (asked !== '/v3/company/123/query') return undefined;
      const Customer = query['query']?.includes('startposition') ? [] : [second, first];
      return { body: { QueryResponse: { Customer } } };
    });
    const quickbooks = await world.account('quickbooks', { oauth_access_token: token, company_id: '123' });
    const source = await world.deploy(path, { quickbooks, timer: dailyTimer });
    const events = await world.events(source, 2);
    expect(events.map(({ event, metadata: { id, summary, ts } }) => ({ event, id, summary, ts }))).toEqual([
      { event: first, id: '1-1704067200000', summary: 'New Customer: A', ts: 1704067200000 },
      { event: second, id: '2-1704153600000', summary: 'New Customer: B', ts: 1704153600000 },
    ]);
    expect(await world.run(source)).toMatchObject({ outcome: 'succeeded', emitted: [], deduped: 2 });

    const asked = world.upstream.requestsTo(host);
    expect(asked.map(({ query }) => query)).toEqual(
      [
        ask('1970-01-01'),
        ask('1970-01-01', 'startposition 101'),
        ask('2024-01-02T00:00:00Z'),
        ask('2024-01-02T00:00:00Z', 'startposition 101'),
      ].map((query) => ({ query, minorversion: '75' })),
    );
    expect(asked.every(({ headers }) => headers['authorization'] === `Bearer ${token}`)).toBe(true);
    await world.client.deleteSource(source.id);
  },
};
