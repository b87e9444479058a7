// All settings of events, webhooks and sources that the API accepts can be set in the console, too.
import { readFile } from 'node:fs/promises';
import { storyMs, beginMs, Visit } from './visit.ts';
import { until } from '../support/until.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

test(
  'an event is published on a channel, and one without a summary or content is seen in the list',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Orders' });
    await page.goto(`/sources/${id}`);
    await visit.button('Publish an event').click();
    // The field has the focus.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('{"total":');
    await page.getByText('This is not JSON.').waitFor();
    await visit.field('Event').fill('{"total":7}');
    await visit.expectAccessible();
    await visit.button('Publish').dblclick();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '{"total":7}' }).waitFor();
    expect((await client.eventSummaries(id)).data).toMatchObject([{ event: { total: 7 } }]);
    await client.publish(id, [{ event: { blank: true }, summary: ' ' }, { event: '' }]);
    await page.getByRole('button', { name: '{"blank":true}' }).waitFor();
    await page.getByRole('button', { name: '""' }).waitFor();
    await client.updateSource(id, { active: false });
    await until('the channel takes no events', () => visit.button('Publish an event').isDisabled());
  },
  storyMs,
);

test(
  'a webhook has a description, and an endpoint a limit of requests a second, which can be taken away',
  async () => {
    const { page, client } = visit;
    await page.goto('/webhooks/new');
    await visit.field('URL').fill('http://127.0.0.1:9/described');
    await visit.field('Description').fill('For the shop');
    await visit.button('Create webhook').click();
    await page.getByText('Copy it now').waitFor();
    expect((await client.webhooks()).data).toMatchObject([{ description: 'For the shop' }]);
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Limited', version: '0.0.1', props: { http: '$.interface.http' }, run() {} };`,
    });
    for (const [text, limit] of [
      ['5', 5],
      ['', null],
    ] as const) {
      await page.goto(`/sources/${id}/configuration`);
      await visit.field('Requests a second').fill(text);
      await visit.button('Save settings').click();
      await until('the limit is stored', async () => (await client.source(id)).rate_limit === limit);
    }
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'the items of a list are published as an event each, all together or none',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Lists' });
    await page.goto(`/sources/${id}`);
    await visit.button('Publish an event').click();
    await visit.field('Event').fill('[{"n":1},{"n":2},[]]');
    await page.getByRole('checkbox', { name: 'An event for each item' }).check();
    await visit.expectAccessible();
    await visit.button('Publish').click();
    await page.getByText('3 events are published.').waitFor();
    const events = async (): Promise<readonly unknown[]> =>
      (await client.eventSummaries(id)).data.map(({ event }) => event);
    expect(await events()).toEqual([[], { n: 2 }, { n: 1 }]);
    await visit.button('Publish an event').click();
    await visit.field('Event').fill('[1,2]');
    await visit.button('Publish').click();
    await page.getByText('The event is published.').waitFor();
    expect((await events())[0]).toEqual([1, 2]);
  },
  storyMs,
);

test(
  'what a source emits at deploys can be left out, at the first one and later',
  async () => {
    const { page, client } = visit;
    const { id: component } = await client.saveComponent({
      component_code: `export default { name: 'Loud', version: '0.0.1', run() {},
        hooks: { async deploy() { this.$emit({ hook: 1 }); } } };`,
    });
    await page.goto(`/sources/new?key=${component}`);
    await page.getByRole('checkbox', { name: 'Emit at deploys' }).uncheck();
    await visit.button('Check and deploy').click();
    await visit.heading('Loud').waitFor();
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    expect(await client.source(id)).toMatchObject({ emit_on_deploy: false });
    expect((await client.eventSummaries(id)).data).toEqual([]);
    await page.goto(`/sources/${id}/configuration`);
    await page.getByRole('checkbox', { name: 'Emit at deploys' }).check();
    await visit.button('Save settings').click();
    await page.getByText('The settings are saved.').waitFor();
    expect(await client.source(id)).toMatchObject({ emit_on_deploy: true });
  },
  storyMs,
);

test(
  'history is exported as a file that is whole, and the operator changes the key that signs it',
  async () => {
    const { page, product } = visit;
    await page.goto('/activity');
    const [download] = await Promise.all([page.waitForEvent('download'), visit.link('Export').click()]);
    expect(download.suggestedFilename()).toMatch(/^history-day-until-.*\.ndjson$/);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ wellspring: expect.anything() });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ digest: expect.any(String) });
    await visit.button('Change the audit key').click();
    await visit.field('API key of the operator').fill('wrong');
    await visit.button('Change key').click();
    await page.getByRole('dialog').getByText('API key').and(page.locator('[id$="-error"]')).waitFor();
    await visit.expectAccessible();
    await visit.field('API key of the operator').fill(await product.apiKey());
    await visit.button('Change key').click();
    await page.getByText('The audit key is changed.').waitFor();
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'Ctrl K says when there is nothing of that name',
  async () => {
    const { page } = visit;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('nothing is called so');
    await page.getByRole('dialog').getByText('Nothing found').waitFor();
    await visit.expectAccessible();
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);
