// What the API takes of an event, a webhook and a source is given in the console, too.
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
