// Foreign names and events are shown safely in the console, content does not move while it is read, failures are shown.
import { storyMs, stepMs, beginMs, Visit } from './visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

/** Has a mark that reverses the text after it, and reads "Invoice exe.pdf". */
const reversed = 'Invoice \u202efdp.exe';

test(
  'what a name reverses ends with it in titles of dialogs, and in events and code it is shown',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Reversed', version: '0.0.1', // \u202e
        props: { text: { type: 'string', label: '${'y'.repeat(90)}', optional: true } },
        run() { this.$emit({ file: 'fdp\u202e.exe' }, { summary: 'One file' }); } };`,
      name: reversed,
    });
    await client.runNowAndWait(id);
    await page.goto(`/sources/${id}`);
    await page.getByRole('button', { name: 'One file' }).click();
    await page.getByText(String.raw`"fdp\u202e.exe"`).waitFor();
    await visit.button('Delete').first().click();
    await page.getByRole('dialog', { name: `Delete \u2068${reversed}\u2069?` }).waitFor();
    await visit.expectAccessible();
    await visit.button('Cancel').click();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`/sources/${id}/configuration`);
    await page.locator('.cm-specialChar').first().waitFor();
    await visit.field('y'.repeat(90)).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width: 1_280, height: 800 });
  },
  storyMs,
);

/** Script that sums how far visible content was moved by content that loaded later. */
const observer = `globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

test(
  'nothing on the overview moves while it is loaded, with first steps and without, in a narrow window and a wide one',
  async () => {
    const { page, client } = visit;
    await page.addInitScript(observer);
    const expectStill = async (): Promise<void> => {
      for (const width of [360, 768, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto('/');
        await page.getByRole('heading', { name: 'Needs attention', exact: true }).waitFor();
        await page.getByRole('img', { name: /^Delivery attempts/ }).waitFor();
        expect([width, await page.evaluate('globalThis.shifted')]).toEqual([width, 0]);
      }
    };
    await expectStill();
    const source = await client.deploySource({ kind: 'channel', name: 'Plain' });
    const webhook = await client.createWebhook({ url: 'http://127.0.0.1:9/hook' });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    await client.pauseWebhook(webhook.id);
    await expectStill();
    expect(await page.getByText('First steps').count()).toBe(0);
  },
  storyMs,
);

test(
  'an event that fails is on the overview, also of a subscription that is not among the newest',
  async () => {
    const { page, client } = visit;
    const source = await client.deploySource({ kind: 'channel', name: 'Busy' });
    const quiet = await client.deploySource({ kind: 'channel', name: 'Quiet' });
    const webhook = await client.createWebhook({ url: 'http://127.0.0.1:9/hook', retry_schedule: [3_600] });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
    for (let n = 0; n < 20; n++)
      await client.createSubscription({ emitter_id: quiet.id, listener_id: webhook.id, event_name: `c${n}` });
    await client.publish(source.id, [{ event: 1 }]);
    await page.goto('/');
    await visit.link('1 event waiting for a retry, of all subscriptions').click({ timeout: stepMs });
    await visit.heading('Deliveries').waitFor();
    await page.getByRole('region', { name: 'Delivery' }).getByText('Attempt 1').waitFor();
    await visit.expectAccessible();
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);

test(
  'what the browser does not let the page copy is said not to be copied',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Copied' });
    await client.publish(id, [{ event: { n: 1 } }]);
    await page.goto(`/sources/${id}`);
    await visit.button('Copy JSON').waitFor();
    await page.evaluate(
      `navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false`,
    );
    await visit.button('Copy JSON').click();
    await page.getByText('Not copied').waitFor();
    expect(await visit.button('Copied').count()).toBe(0);
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'what is named in full is found, also beyond the newest that the service searches',
  async () => {
    const { page, client } = visit;
    const source = await client.deploySource({ kind: 'channel', name: 'Old one' });
    const webhook = await client.createWebhook({ url: 'http://127.0.0.1:9/old', name: 'Old receiver' });
    // As if there were 2,000 newer ones.
    const none = { page_info: { total_count: 0, count: 0, start_cursor: null, end_cursor: null }, data: [] };
    await page.route(/\/v1\/(sources|webhooks)\?.*\bq=/, (route) => route.fulfill({ status: 200, json: none }));
    for (const [list, name, text] of [
      ['sources', 'Old one', 'Old one'],
      ['sources', 'Old one', 'old-one'],
      ['sources', 'Old one', source.id],
      ['webhooks', 'Old receiver', 'Old receiver'],
      ['webhooks', 'Old receiver', webhook.url],
      ['webhooks', 'Old receiver', webhook.id],
    ] as const) {
      await page.goto(`/${list}?q=${encodeURIComponent(text)}`);
      await visit.link(name).waitFor();
    }
    await page.getByRole('searchbox').fill('Old');
    await page.getByText('None of the newest 2,000 webhooks').waitFor();
    expect(visit.faults).toEqual([]);
    await page.unroute(/\/v1\/(sources|webhooks)\?.*\bq=/);
  },
  storyMs,
);

/** Script that sets the clock of the page two hours ahead. */
const wrongClock = `globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length === 0 ? [Date.now()] : args));
  }
  static now() {
    return super.now() + 7_200_000;
  }
};`;

test(
  'times are those of the service, also in a browser whose clock is two hours off',
  async () => {
    const { browser, client, product } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Timed' });
    await client.publish(id, [{ event: { n: 1 }, summary: 'Just now' }]);
    const page = await browser.newPage({ baseURL: product.baseUrl });
    await page.addInitScript(wrongClock);
    await visit.signIn(await product.apiKey(), page);
    await page.goto(`/sources/${id}`);
    await page.getByRole('button', { name: /^Just now\s*(now|\d+ s ago)$/ }).waitFor();
    await page.goto('/api-keys/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('For a day');
    await page.getByRole('combobox', { name: 'Expires after' }).click();
    await page.getByRole('option', { name: 'A day', exact: true }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.close();
    const key = (await client.apiKeys.list()).data.find(({ name }) => name === 'For a day');
    expect(((key?.expires_at ?? 0) - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  },
  storyMs,
);

test(
  'with colours that the system sets, what is chosen and what is switched on can be told from the rest',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Contrast' });
    await client.publish(id, [{ event: { n: 1 } }, { event: { n: 2 } }]);
    await page.emulateMedia({ forcedColors: 'active' });
    const grounds = async (path: string, ...selectors: readonly string[]): Promise<readonly string[]> => {
      await page.goto(path);
      await page.locator(selectors.at(-1) ?? '').waitFor({ state: 'attached' });
      const backgroundOf = `(selector) => getComputedStyle(document.querySelector(selector)).backgroundColor`;
      return page.evaluate(`${JSON.stringify(['body', ...selectors])}.map(${backgroundOf})`) as Promise<string[]>;
    };
    for (const [ground, ...chosen] of [
      await grounds(`/sources/${id}`, '.side-link[aria-current]', '.tabs [aria-current]', '.entry[aria-current=true]'),
      await grounds('/api-keys/new', '.mantine-Checkbox-input:checked'),
      await grounds('/webhooks/new', '.mantine-Switch-input:checked + .mantine-Switch-track'),
    ])
      for (const colour of chosen) expect(colour).not.toBe(ground);
    await page.emulateMedia({ forcedColors: 'none' });
  },
  storyMs,
);
