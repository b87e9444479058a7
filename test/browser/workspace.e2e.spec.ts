// The rest of the console: forms with options from components, accounts, data stores, components, deliveries, API keys,
// activity, and every page at once.
import { readFile } from 'node:fs/promises';
import type { Client } from '../../libs/client/index.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { beginMs, storyMs, Visit } from './visit.ts';

let visit: Visit;
let receiver: Receiver;
beforeAll(async () => {
  visit = await Visit.begin();
  receiver = await Receiver.start();
}, beginMs);
afterAll(async () => {
  await visit?.end();
  await receiver?.stop();
});

const weather = `
const cities = { fr: ['Lyon', 'Nice', 'Paris'], jp: ['Kobe', 'Osaka', 'Tokyo'] };
const atlas = {
  type: 'app', app: 'atlas',
  propDefinitions: { city: {
    type: 'string', label: 'City', useQuery: true,
    options({ page, query = '', country }) {
      const found = cities[country].filter((city) => city.toLowerCase().includes(query.toLowerCase()));
      return found.slice(page * 2, page * 2 + 2);
    },
  } },
};
export default {
  key: 'weather', name: 'Weather', version: '0.1.0',
  props: {
    atlas,
    country: { type: 'string', label: 'Country', options: ['fr', 'jp'] },
    city: { propDefinition: [atlas, 'city', ({ country }) => ({ country })] },
    days: { type: 'integer[]', label: 'Days', withLabel: true, optional: true,
      options: () => [{ label: 'Monday', value: 1 }, { label: 'Tuesday', value: 2 }] },
    seen: { type: 'data_store', label: 'Seen' },
    live: { type: 'boolean', label: 'Live', default: false, reloadProps: true },
  },
  additionalProps() {
    return this.live
      ? { http: '$.interface.http' }
      : { hours: { type: 'integer', label: 'Hours between', options: () => [{ label: 'In ' + this.city, value: 1 }] } };
  },
  run() {
    this.$emit({ city: this.city, days: this.days, token: this.atlas.$auth.token.length }, { summary: 'Weather' });
  },
};`;

test(
  'a deploy form offers accounts, options in pages and by search, and props that depend on other values',
  async () => {
    const { page, client } = visit;
    await client.saveComponent({ component_code: weather });
    await page.goto('/sources?action=create&key=weather');
    await visit.button('Check and deploy').click();
    await visit.button('Connect an account').click();
    await visit.field('Token').fill('secret!');
    await visit.expectAccessible();
    await visit.button('Connect').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visit.button('New data store').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Seen cities');
    await visit.expectAccessible();
    await visit.button('Create').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visit.choose('Country', 'jp');
    await page.getByRole('combobox', { name: 'City' }).click();
    await page.getByRole('option', { name: 'Kobe' }).waitFor();
    await page.getByRole('option', { name: 'More …' }).click();
    await page.getByRole('option', { name: 'Tokyo' }).waitFor();
    await visit.expectAccessible();
    await page.getByRole('combobox', { name: 'City' }).fill('osa');
    await page.getByRole('option', { name: 'Kobe' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Osaka' }).click();
    await visit.choose('Days', 'Monday');
    await visit.choose('Days', 'Tuesday');
    await page.keyboard.press('Escape');
    await visit.choose('Hours between', 'In Osaka');
    await visit.expectAccessible();
    await visit.button('Deploy').click();
    await visit.heading('Weather').waitFor();
    const [source] = (await client.sources()).data;
    const [store] = (await client.dataStores.list()).data;
    expect(store?.name).toBe('Seen cities');
    expect(source?.configured_props).toMatchObject({ city: 'Osaka', hours: 1, live: false, seen: store?.id });
  },
  storyMs,
);

test(
  'the form of a deployed source does not save a prop that another value has removed',
  async () => {
    const { page, client } = visit;
    await visit.link('Configuration').click();
    expect(await page.getByRole('combobox', { name: 'City' }).inputValue()).toBe('Osaka');
    await page.getByRole('checkbox', { name: 'Live' }).check();
    await page.getByRole('combobox', { name: 'Hours between' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Monday' }).click();
    await visit.expectAccessible();
    await visit.button('Save props').click();
    await page.getByText('The props are saved.').waitFor();
    const [source] = (await client.sources()).data;
    expect(source?.configured_props).toMatchObject({ live: true, days: [{ label: 'Tuesday', value: 2 }] });
    expect(source?.configured_props).not.toHaveProperty('hours');
  },
  storyMs,
);

test(
  'an account is renamed, gets new credentials and is deleted after a warning that names its sources',
  async () => {
    const { page, client } = visit;
    await visit.link('Accounts').click();
    await page.locator('.row-link').click();
    await page.getByRole('region', { name: 'Sources that use it' }).getByRole('link', { name: 'Weather' }).waitFor();
    await visit.field('Name').fill('Forecasts');
    await visit.button('Save name').click();
    await visit.heading('Forecasts').waitFor();
    await visit.field('token').fill('another secret');
    await visit.expectAccessible();
    await visit.button('Replace credentials').click();
    await page.getByText('The new credentials hold').waitFor();
    const [account] = (await client.accounts.list({ include_credentials: '1' })).data;
    expect(account).toMatchObject({ name: 'Forecasts', credentials: { token: 'another secret' } });
    await visit.button('Delete').click();
    await visit.button('Delete account').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Weather' }).waitFor();
    await visit.expectAccessible();
    await visit.button('Delete all the same').click();
    await page.getByText('No accounts yet').waitFor();
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'a data store is created and deleted, and its keys are set, opened, changed and deleted',
  async () => {
    const { page, client } = visit;
    await visit.link('Data stores').click();
    await visit.link('New data store').click();
    await visit.field('Name').fill('Drafts');
    await visit.button('Create').click();
    await page.getByText('Nothing in it yet').waitFor();
    const [store] = (await client.dataStores.list()).data;
    if (store?.name !== 'Drafts') throw new Error('the store that was made is the newest');
    await client.dataStores.set(store.id, 'a/b?c', { cities: ['Nice'] }, { ttl: 3_600 });
    await visit.button('Set a key').click();
    await visit.field('Key').fill('order 7');
    await visit.field('Value').fill('{"paid":');
    await page.getByText('This is not JSON.').waitFor();
    await visit.field('Value').fill('{"paid":true}');
    await visit.expectAccessible();
    await visit.button('Set').click();
    await visit.link('order 7').waitFor();
    await visit.link('a/b?c').click();
    await page.getByRole('dialog').getByText('"Nice"').waitFor();
    await page.getByRole('dialog').getByText('It expires in').waitFor();
    await visit.expectAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Open a key' }).fill('order 7');
    await page.keyboard.press('Enter');
    await visit.button('Change').click();
    await visit.field('Value').fill('[1]');
    await visit.button('Set').click();
    await visit.button('Change').waitFor();
    expect(await client.dataStores.entry(store.id, 'order 7')).toMatchObject({ value: [1], expires_at: null });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await visit.button('Delete key').click();
    await visit.link('order 7').waitFor({ state: 'detached' });
    await visit.link('a/b?c').waitFor();
    await visit.button('Delete').click();
    await visit.button('Delete data store').click();
    await visit.heading('Data stores').waitFor();
    expect((await client.dataStores.list()).data.map(({ name }) => name)).toEqual(['Seen cities']);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'a saved component is published and unpublished, and can be deployed',
  async () => {
    const { page, client } = visit;
    await visit.link('Components').click();
    await visit.link('Weather').first().click();
    await visit.button('Publish').click();
    await visit.button('Unpublish').waitFor();
    await visit.expectAccessible();
    expect((await client.components({ published: true })).data.map(({ key }) => key)).toEqual(['weather']);
    await visit.button('Unpublish').click();
    await visit.button('Publish').waitFor();
    await visit.link('Deploy').click();
    await visit.heading('New source').waitFor();
    await visit.button('Check and deploy').click();
    await page.getByRole('combobox', { name: 'Country' }).waitFor();
  },
  storyMs,
);

test(
  'a delivery is found by status and text, shown with its request, and retried; a source is run with an event',
  async () => {
    const { page, client } = visit;
    receiver.behaviours.set('/hook', 'error');
    const source = await client.deploySource({
      name: 'Orders',
      component_code: `export default { name: 'Orders', version: '1.0.0', props: { http: '$.interface.http' },
        run({ body }) { this.$emit(body, { summary: 'Order' }); } };`,
    });
    const webhook = await client.createWebhook({ url: receiver.url('/hook'), name: 'Shop', retry_schedule: [] });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    await fetch(source.configured_props.http.endpoint_url, { method: 'POST', body: '{}' });
    await visit.link('Deliveries').click();
    await page.getByRole('button', { name: 'parked' }).click();
    await page.getByRole('searchbox', { name: 'Status, such as 503' }).fill('404');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox', { name: 'Status, such as 503' }).fill('500');
    await page.getByRole('searchbox', { name: 'Error, answer or id' }).fill('sub_nobody');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox', { name: 'Error, answer or id' }).fill(webhook.id.toUpperCase());
    await page.getByLabel('Request', { exact: true }).getByText('webhook-signature').waitFor();
    await visit.expectAccessible();
    await visit.link('Webhooks').click();
    await page.getByRole('searchbox', { name: 'Find a webhook' }).fill('nobody');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox', { name: 'Find a webhook' }).fill('shop');
    await visit.link('Shop').click();
    await page.getByRole('img', { name: 'The newest 1 attempt: 1 failed' }).waitFor();
    await page.getByRole('img', { name: 'Attempts: 1, of which 1 failed; at most 1 per minute' }).waitFor();
    await page.getByRole('radiogroup', { name: 'Time shown, up to now' }).getByText('30 days').click();
    await page.getByRole('img', { name: 'Attempts: 1, of which 1 failed; at most 1 per 24 hours' }).waitFor();
    await page.getByRole('img', { name: /^Answer time, mean of each 24 hours: / }).waitFor();
    await visit.button('Send test').click();
    await page.getByText('Attempt 1').waitFor();
    await visit.expectAccessible();
    await visit.link('Parked').click();
    await visit.link('Replay parked').waitFor();
    receiver.behaviours.delete('/hook');
    await visit.button('Retry now').click();
    await page.getByText('Nothing is parked').waitFor();
    await visit.expectAccessible();
    // The first attempt, the test, and the retry.
    expect(receiver.requestsTo('/hook')).toHaveLength(3);
    receiver.behaviours.set('/hook', 'error');
    await fetch(source.configured_props.http.endpoint_url, { method: 'POST', body: '{}' });
    await visit.button('Discard parked').click();
    await visit.expectAccessible();
    await visit.button('Discard all').click();
    await page.getByText('1 delivery is discarded.').waitFor();
    await page.getByText('Nothing is parked').waitFor();
    receiver.behaviours.delete('/hook');

    await visit.link('Sources').click();
    await page.getByRole('searchbox', { name: 'Find a source' }).fill('orders');
    await visit.link('Orders').click();
    await visit.button('Run with an event').click();
    await visit.field('Event').fill('{"body":');
    await page.getByText('This is not JSON.').waitFor();
    await visit.field('Event').fill('{"body":{"order":7}}');
    await visit.expectAccessible();
    await visit.button('Run').click();
    await until('the event to arrive', () => receiver.requestsTo('/hook').some(({ body }) => body === '{"order":7}'));
  },
  storyMs,
);

test(
  'a key that may only read cannot change a source, and revoking it signs out its other tab',
  async () => {
    const { page, browser, product } = visit;
    await visit.link('API keys').click();
    await visit.link('New API key').click();
    await visit.field('Name').fill('A guest');
    await page.getByRole('checkbox', { name: 'May change things' }).uncheck();
    await visit.choose('Expires after', 'A week');
    await visit.expectAccessible();
    await visit.button('Create key').click();
    const key = (await page.locator('.copy-line code').textContent()) ?? '';
    await visit.link('Done').click();
    const other = await browser.newPage({ baseURL: product.baseUrl });
    await visit.signIn(key, other);
    await other.getByRole('link', { name: 'Sources', exact: true }).click();
    await other.getByRole('link', { name: 'Orders' }).click();
    await other.getByText('Live', { exact: true }).waitFor();
    await other.getByRole('switch', { name: 'Source is on' }).click({ force: true });
    await other.getByText('lacks the scope write').waitFor();
    await visit.button('Revoke A guest').click();
    await visit.expectAccessible();
    await visit.button('Revoke key').click();
    await other.getByRole('textbox', { name: 'API key' }).waitFor();
    await other.close();
    await visit.button('Revoke A guest').waitFor({ state: 'detached' });
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'the activity page describes changes, with links to the sources that were deployed',
  async () => {
    const { page } = visit;
    await visit.link('Activity').click();
    await visit.heading('Activity').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'created an API key in' }).first();
    await row.waitFor();
    await page.getByRole('row').filter({ hasText: 'deployed the source' }).getByRole('link').first().click();
    await page.waitForURL(/\/sources\/dc_/);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

/** The values that `:tab` of an address can have. */
const tabs: Readonly<Record<string, readonly string[]>> = {
  sources: ['events', 'logs', 'configuration'],
  subscriptions: ['deliveries', 'filter', 'replays'],
};

/** The id of one item of each kind that has pages of its own, by the first part of the address. */
async function idsOf(client: Client): Promise<Readonly<Record<string, string>>> {
  const lists = Object.entries({
    sources: await client.sources(),
    webhooks: await client.webhooks(),
    subscriptions: await client.subscriptions(),
    components: await client.components(),
    accounts: await client.accounts.list(),
    'data-stores': await client.dataStores.list(),
  });
  return Object.fromEntries(lists.map(([kind, list]) => [kind, list.data[0]?.id ?? '']));
}

test(
  'the code of a source that was deployed over the API alone is shown, edited and deployed, and can be selected',
  async () => {
    const { page, client } = visit;
    const code = "export default { name: 'Plain', version: '0.1.0', run() { this.$emit(1); } };";
    const { id, component_id } = await client.deploySource({ component_code: code });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/sources/${id}/configuration`);
    const text = visit.field('Code');
    await text.getByText("name: 'Plain'").waitFor();
    expect(asked).not.toContain(`/v1/components/${component_id}`);
    await text.click();
    await page.keyboard.press('Control+A');
    await page.locator('.cm-selectionBackground').first().waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText(' // edited');
    await visit.button('Review and deploy').click();
    await visit.button('Deploy changes').click();
    await page.getByText('The code is deployed.').waitFor();
    expect((await client.sourceCode(id)).code).toBe(`${code} // edited`);
    await client.deleteSource(id);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'a new source by an empty key asks for the key, and the service for nothing',
  async () => {
    const { page } = visit;
    await page.goto('/sources/new');
    await page.getByText('By its key').click();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit.button('Check and deploy').click();
    await page.getByText('Give a key').waitFor();
    expect(asked.filter((path) => path.startsWith('/v1/components/'))).toEqual([]);
    await visit.button('Check and deploy').waitFor();
  },
  storyMs,
);

test(
  'a key that may only read gets no button that creates something, and one for audit alone tells of keys, not of revoked ones',
  async () => {
    const { client, browser, product } = visit;
    const keys = {
      read: await client.apiKeys.create({ name: 'Reads', scopes: ['read'] }),
      audit: await client.apiKeys.create({ name: 'Audits', scopes: ['audit'] }),
    };
    const open = async (apiKey: string) => {
      const page = await browser.newPage({ baseURL: product.baseUrl });
      await visit.signIn(apiKey, page);
      return page;
    };
    const reader = await open(keys.read.key);
    await reader.goto('/webhooks');
    expect(await reader.getByRole('button', { name: 'New webhook' }).first().isDisabled()).toBe(true);
    await reader.close();
    const auditor = await open(keys.audit.key);
    await auditor.goto('/activity');
    await auditor
      .getByText(/^A key \(key_/)
      .first()
      .waitFor();
    expect(await auditor.getByText('A revoked key').count()).toBe(0);
    await auditor.close();
    for (const { id } of Object.values(keys)) await client.apiKeys.delete(id);
  },
  storyMs,
);

test(
  'every page meets WCAG 2.2 AA in both themes and fits a narrow screen, also with text of twice the size',
  async () => {
    const { page, client } = visit;
    await client.accounts.create({ app: 'atlas', name: 'Maps', credentials: { token: 'hush' } });
    const frame = await readFile(new URL('../../apps/console/frame/pages.tsx', import.meta.url), 'utf8');
    const ids = await idsOf(client);
    const paths: string[] = ['/nowhere'];
    for (const [, path = ''] of frame.matchAll(/^ +(?:\w+Route\()?'(\/[^']*)',/gm)) {
      const [, kind = ''] = path.split('/');
      const named = path.replace(':id', ids[kind] ?? '');
      paths.push(...(path.includes(':tab') ? (tabs[kind] ?? []).map((tab) => named.replace(':tab?', tab)) : [named]));
    }
    expect(paths.filter((path) => path.endsWith('/') && path !== '/')).toEqual([]);
    expect(paths.length).toBeGreaterThan(20);
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await visit.expectAccessible();
      if (!(await visit.fits({ width: 360, fontSize: '100%' }))) wide.push(path);
      if (!(await visit.fits({ width: 320, fontSize: '200%' }))) wide.push(`${path} with large text`);
    }
    expect(wide).toEqual([]);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'the first delivery by clicks works with the buttons that README.md names, in that order',
  async () => {
    const { page, product } = visit;
    const named = labelsIn(await readFile(new URL('../../README.md', import.meta.url), 'utf8'));
    const press = async (name: string): Promise<void> => {
      expect(named.shift()).toBe(name);
      await page.getByRole('link', { name, exact: true }).or(visit.button(name)).first().click();
    };
    const endpoint = page.locator('.endpoint code').first();
    for (const name of ['Sender', 'Receiver']) {
      await page.goto('/sources');
      await press('New source');
      await visit.field('Name').fill(name);
      await press('Check and deploy');
      await visit.heading(name).waitFor();
    }
    const receiving = (await endpoint.textContent()) ?? '';
    await press('Webhooks');
    await press('New webhook');
    await visit.field('URL').fill(receiving);
    await press('Create webhook');
    await press('Subscribe it to a source');
    await visit.choose('Source', 'Sender');
    await press('Subscribe');
    await page.getByText('Nothing sent yet').waitFor();
    const subscription = page.url();
    await press('Sources');
    await press('Sender');
    const other = await visit.browser.newPage({ baseURL: product.baseUrl });
    await other.goto((await endpoint.textContent()) ?? '');
    await page.goto(subscription);
    await page.getByRole('region', { name: 'Delivery' }).getByText('Attempt 1').waitFor();
    await press('Sources');
    await press('Receiver');
    await page.getByRole('button', { name: /^POST/ }).waitFor();
    await page.getByText('"GET"').waitFor();
    expect(named).toEqual([]);
  },
  storyMs,
);

/** The labels that README.md prints in bold in "The first delivery by clicks", in their order. */
function labelsIn(readme: string): string[] {
  const walk = readme.slice(readme.indexOf('The first delivery by clicks'), readme.indexOf('## From the terminal'));
  return [...walk.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
}
