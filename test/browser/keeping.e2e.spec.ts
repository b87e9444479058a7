// The console loses and doubles nothing: double clicks, unsaved work, changes by others, events that come too fast.
import type { Dialog } from 'playwright-core';
import { storyMs, beginMs, Visit } from './visit.ts';
import { until } from '../support/until.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

/** Answers the dialogs of the page, and records their messages. */
function answerDialogs(accepts: boolean): { readonly messages: readonly string[]; readonly end: () => void } {
  const messages: string[] = [];
  const answer = (dialog: Dialog): void => {
    messages.push(dialog.message());
    void (accepts ? dialog.accept() : dialog.dismiss());
  };
  visit.page.on('dialog', answer);
  return { messages, end: () => visit.page.off('dialog', answer) };
}

/** More than a screen holds. */
const longProps = Array.from({ length: 20 }, (_, at) => `text${at}: { type: 'string', optional: true }`).join(', ');

test(
  'a double click creates one webhook, and a comma at the end of its retries is no retry at once',
  async () => {
    const { page, client } = visit;
    await page.goto('/webhooks/new');
    await visit.field('URL').fill('http://127.0.0.1:9/once');
    await visit.field('Order key').fill('/customer/id');
    await visit.field('Seconds before each retry').fill('5, 60,');
    await visit.button('Create webhook').dblclick();
    await page.getByText('Copy it now').waitFor();
    expect((await client.webhooks()).data).toMatchObject([{ retry_schedule: [5, 60], order_key: '/customer/id' }]);
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'saving a form keeps what others have changed meanwhile',
  async () => {
    const { page, client } = visit;
    const [webhook] = (await client.webhooks()).data;
    const id = webhook?.id ?? '';
    await page.goto(`/webhooks/${id}`);
    await visit.field('Name').waitFor();
    await client.updateWebhook(id, { url: 'http://127.0.0.1:9/moved', rate_limit: 7 });
    await visit.field('Name').fill('Shop');
    await visit.field('Name').press('Enter');
    await page.getByText('The webhook is saved.').waitFor();
    expect(await client.webhook(id)).toMatchObject({ name: 'Shop', url: 'http://127.0.0.1:9/moved', rate_limit: 7 });
    const source = await client.deploySource({ kind: 'channel', name: 'Before' });
    await page.goto(`/sources/${source.id}/configuration`);
    await visit.field('Name').fill('After');
    await visit.field('Name').press('Enter');
    await page.getByText('The settings are saved.').waitFor();
    expect(await client.source(source.id)).toMatchObject({ name: 'After' });
    const { id: propsId } = await client.deploySource({
      component_code: `export default { name: 'Two', version: '0.0.1', props: { one: 'string', two: 'string' }, run() {} };`,
      configured_props: { one: 'a', two: 'b' },
    });
    await page.goto(`/sources/${propsId}/configuration`);
    await visit.field('one').fill('A');
    await page.route(/\/v1\/sources\/dc_\w+$/, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await client.updateSource(propsId, { configured_props: { two: 'B' } });
    await visit.button('Save props').click();
    await page.getByText('The props are saved.').waitFor();
    await page.unroute(/\/v1\/sources\/dc_\w+$/);
    expect((await client.source(propsId)).configured_props).toEqual({ one: 'A', two: 'B' });
  },
  storyMs,
);

test(
  'code that is not saved is asked about before a link, the way back or a reload loses it',
  async () => {
    const { page } = visit;
    await page.goto('/sources');
    await visit.link('New source').first().click();
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.type('// mine');
    const staying = answerDialogs(false);
    await visit.link('Webhooks').click();
    await until('the question', () => staying.messages.length > 0);
    await page.goBack({ timeout: 1_000 }).catch(() => undefined);
    await page.reload({ timeout: 1_000 }).catch(() => undefined);
    staying.end();
    expect(staying.messages.length).toBeGreaterThan(1);
    await page.getByRole('textbox', { name: 'Code' }).getByText('// mine').waitFor();
    const leaving = answerDialogs(true);
    await visit.link('Webhooks').click();
    await visit.heading('Webhooks').waitFor();
    leaving.end();
  },
  storyMs,
);

test.each([
  ['/api-keys/new', 'Name'],
  ['/data-stores/new', 'Name'],
  ['/accounts/new', 'Name'],
  ['/subscriptions/new', 'Channel'],
])(
  'what is filled in at %s is asked about before a link loses it',
  async (path, field) => {
    await visit.page.goto(path);
    await visit.field(field).fill('mine');
    const staying = answerDialogs(false);
    await visit.link('Webhooks').click();
    await until('the question', () => staying.messages.length > 0);
    staying.end();
    expect(await visit.field(field).inputValue()).toBe('mine');
    const leaving = answerDialogs(true);
    await visit.link('Webhooks').click();
    await visit.heading('Webhooks').waitFor();
    leaving.end();
  },
  storyMs,
);

test(
  'code that is being written stays when others deploy meanwhile, and the review shows both',
  async () => {
    const { page, client } = visit;
    const codeOf = (name: string): string => `export default { name: '${name}', version: '0.1.0', run() {} };\n`;
    const source = await client.deploySource({ component_code: codeOf('First') });
    await page.goto(`/sources/${source.id}/configuration`);
    const editor = page.getByRole('textbox', { name: 'Code' });
    await editor.getByText('First').waitFor();
    await client.updateSource(source.id, { component_code: codeOf('Second') });
    await editor.getByText('Second').waitFor();
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('/* mine */ ');
    await client.updateSource(source.id, { component_code: codeOf('Third') });
    await page.getByText('Updated elsewhere').waitFor();
    await editor.getByText('/* mine').waitFor();
    await visit.button('Review and deploy').click();
    await page.getByRole('dialog').getByText('Third').waitFor();
    // The page asks for the source every few seconds: until then it does not know of the fourth.
    await page.route(/\/v1\/sources\/dc_\w+$/, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await client.updateSource(source.id, { component_code: codeOf('Fourth') });
    await visit.button('Deploy changes').click();
    await page.getByText('Other code was deployed while you reviewed yours').waitFor();
    expect((await client.sourceCode(source.id)).code).toBe(codeOf('Fourth'));
    await page.unroute(/\/v1\/sources\/dc_\w+$/);
    await visit.button('Review and deploy').click();
    await page.getByRole('dialog').getByText('Fourth').waitFor();
    await visit.button('Deploy changes').click();
    await page.getByText('The code is deployed.').waitFor();
    await page.getByText('Updated elsewhere').waitFor({ state: 'hidden' });
    await editor.getByText('/* mine').waitFor();
    expect((await client.sourceCode(source.id)).code).toMatch(/^\/\* mine .*Second/);
    // At once, before the page shows what it has deployed.
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('/* again */ ');
    await visit.button('Review and deploy').click();
    await visit.button('Deploy changes').click();
    await until('the second deploy', async () => (await client.sourceCode(source.id)).code.startsWith('/* again'));
  },
  storyMs,
);

test(
  'code keeps its line breaks when it is changed, and what is deployed can be undone',
  async () => {
    const { page, client } = visit;
    const code = `export default {\r\n\tname: 'Windows',\r\n\tversion: '0.0.1',\r\n\trun() {},\r\n};\r\n`;
    const { id } = await client.deploySource({ component_code: code });
    await page.goto(`/sources/${id}/configuration`);
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('// one\n');
    await visit.button('Review and deploy').click();
    await visit.button('Deploy changes').click();
    await page.getByText('The code is deployed.').waitFor();
    expect(await client.sourceCode(id)).toMatchObject({ code: `// one\r\n${code}` });
    await until('nothing to deploy', () => visit.button('Review and deploy').isDisabled());
    await page.getByRole('textbox', { name: 'Code' }).focus();
    // At the most as many steps as there were keys.
    for (let steps = 0; steps < 10; steps++) await page.keyboard.press('ControlOrMeta+z');
    await until('something to deploy', () => visit.button('Review and deploy').isEnabled());
    await visit.button('Review and deploy').click();
    await visit.button('Deploy changes').click();
    await until('the code before, deployed', async () => (await client.sourceCode(id)).code === code);
  },
  storyMs,
);

test(
  'a key that expires keeps its time when its value is changed',
  async () => {
    const { page, client } = visit;
    const store = await client.dataStores.create('Sessions');
    await client.dataStores.set(store.id, 'one', { at: 1 }, { ttl: 3_600 });
    await page.goto(`/data-stores/${store.id}?key=one`);
    await visit.button('Change').click();
    await visit.field('Value').fill('{ "at": 2 }');
    await visit.button('Set').click();
    await page.getByText('The key is set.').waitFor();
    const entry = await client.dataStores.entry(store.id, 'one');
    expect(entry).toMatchObject({ value: { at: 2 } });
    const seconds = ((entry.expires_at ?? 0) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(3_000);
    expect(seconds).toBeLessThan(3_601);
  },
  storyMs,
);

test(
  'a link to a delivery that is gone says so instead of showing another one',
  async () => {
    await visit.page.goto('/deliveries?delivery=msg_0000000000000000');
    const shown = visit.page.getByRole('region', { name: 'Delivery' });
    await shown.getByText('Not found').waitFor();
    expect(await shown.getByText('Attempt').count()).toBe(0);
  },
  storyMs,
);

test(
  'a source that is deleted elsewhere is not shown as if it were there, and another page begins at its top',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Gone', version: '0.0.1', run() {}, props: { ${longProps} } };`,
    });
    await page.goto(`/sources/${id}/configuration`);
    await visit.button('Save props').scrollIntoViewIfNeeded();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    await visit.link('Webhooks').click();
    await visit.heading('Webhooks').waitFor();
    await until('the top of the page', async () => (await page.evaluate('scrollY')) === 0);
    await page.goBack();
    await visit.heading('Gone').waitFor();
    await client.deleteSource(id);
    await page.getByText('It was deleted, or the link is not complete.').waitFor();
  },
  storyMs,
);

test(
  'when more events come than a page keeps, those behind them can still be loaded, and none is left out',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Busy' });
    const publish = async (from: number, to: number): Promise<void> => {
      const events = Array.from({ length: to - from }, (_, at) => ({ event: {}, summary: `n${from + at}` }));
      await client.publish(id, events);
    };
    await publish(0, 30);
    await page.goto(`/sources/${id}`);
    await page.getByText('Live', { exact: true }).waitFor();
    for (let from = 30; from < 630; from += 100) await publish(from, from + 100);
    const entries = page.getByRole('list', { name: 'Events' }).locator('li .clip');
    const shown = (): Promise<readonly string[]> => entries.allTextContents();
    await until('the newest event', async () => (await shown())[0] === 'n629');
    // The page keeps the newest 500 of the stream.
    await until('what is kept of them', async () => (await shown()).length === 500);
    for (let loaded = 500; loaded < 630; loaded += 25) {
      await visit.button('Load more').click();
      await until('the next page', async () => (await shown()).length > loaded);
    }
    expect(await shown()).toEqual(Array.from({ length: 630 }, (_, at) => `n${629 - at}`));
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'what a component says of its props is Markdown, whose links lead out',
  async () => {
    const { page, client } = visit;
    const description = 'The **name**, as in [the docs](https://docs.example.com/a).';
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Marked', version: '0.0.1', run() {},
        props: { text: { type: 'string', label: 'Text', optional: true, description: '${description}' } } };`,
    });
    await page.goto(`/sources/${id}/configuration`);
    const link = page.getByRole('link', { name: 'the docs' });
    expect(await link.getAttribute('href')).toBe('https://docs.example.com/a');
    expect(await page.locator('strong').getByText('name').count()).toBe(1);
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'what is written on a page or in a dialog outlives its API key, until somebody signs in again',
  async () => {
    const { page, client, product } = visit;
    const { id: channel } = await client.deploySource({ kind: 'channel', name: 'Kept' });
    const guest = await client.apiKeys.create({ name: 'Guest' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await visit.signIn(guest.key);
    await page.goto('/sources/new');
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.type('// mine');
    await client.apiKeys.delete(guest.id);
    await page.getByText('What you have written on the page is still there').waitFor();
    expect(await page.getByText('// mine').isVisible()).toBe(false);
    await visit.expectAccessible();
    const other = await client.apiKeys.create({ name: 'Other' });
    await visit.field('API key').fill(other.key);
    await visit.button('Sign in').click();
    await page.getByRole('textbox', { name: 'Code' }).getByText('// mine').waitFor();
    const leaving = answerDialogs(true);
    await page.goto(`/sources/${channel}`);
    leaving.end();
    await visit.button('Publish an event').click();
    await visit.field('Event').fill('{"kept":true}');
    await client.apiKeys.delete(other.id);
    await visit.field('API key').fill(await product.apiKey());
    await visit.field('API key').press('Escape');
    await visit.field('API key').press('Control+k');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    await visit.button('Sign in').click();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await visit.button('Publish').click();
    await page.getByText('The event is published.').waitFor();
    expect((await client.eventSummaries(channel)).data).toMatchObject([{ event: { kept: true } }]);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'who signs out is told if that fails, and leaves nothing behind that they have written',
  async () => {
    const { page, product } = visit;
    await page.goto('/accounts/new');
    await visit.field('Name').fill('Mine');
    await page.route('**/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Not signed out').waitFor();
    await visit.heading('Connect an account').waitFor();
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await visit.field('API key').fill(await product.apiKey());
    expect(await page.getByText('What you have written').count()).toBe(0);
    expect(await page.locator('input').count()).toBe(1);
    await visit.button('Sign in').click();
    expect(await visit.field('Name').inputValue()).toBe('');
  },
  storyMs,
);
