// The console in a browser as a new user sees it, from the first source to the first delivery and the first failure.
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../libs/client/index.ts';
import type { Client, NewApiKey } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { Receiver, verify } from '../support/receiver.ts';
import { faultsOf, launch, violations } from './browser.ts';

/** One step on a busy machine; an idle one needs a tenth of a second. */
const stepMs = 30_000;
/** A story is many steps. */
const storyMs = 180_000;

let product: Product;
let client: Client;
/** The key that the page is signed in with. */
let key: NewApiKey;
let receiver: Receiver;
let browser: Browser;
let page: Page;
let faults: readonly string[];
beforeAll(async () => {
  product = await Product.start({ env: { EGRESS_ALLOW: '127.0.0.1/32' } });
  client = createClient({ baseUrl: product.baseUrl, apiKey: await product.apiKey() });
  key = await client.apiKeys.create({ name: 'In the browser' });
  receiver = await Receiver.start();
  browser = await launch();
  page = await browser.newPage({ baseURL: product.baseUrl });
  page.setDefaultTimeout(stepMs);
  faults = faultsOf(page);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await receiver?.stop();
  await product?.remove();
});

/** Checks the current page in the light and the dark theme. */
async function expectAccessible(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violations(page)).toEqual([]);
  }
}

let endpoint = '';
const send = (customer: string): Promise<Response> =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ customer, total: 12.5, items: [{ name: hostile }] }),
  });

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Replaces the code by keyboard input. */
async function writeCode(...lines: readonly string[]): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.type('// by keys\n');
  for (const line of lines) {
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  }
}

/** Runs as a script if it is ever treated as more than text. */
const hostile = '<img src=x onerror="window.wasRun = 1"><script>window.wasRun = 1</script>';

test(
  'the sign-in rejects a wrong key with a message, and a right one opens the page that was requested',
  async () => {
    await page.goto('/sources');
    await page.getByRole('textbox', { name: 'API key' }).fill('pd_wrong');
    await button('Sign in').click();
    await page.getByText('This key is not valid').waitFor();
    await expectAccessible();
    await page.getByRole('textbox', { name: 'API key' }).fill(key.key);
    await button('Sign in').click();
    await heading('Sources').waitFor();
    await page.getByText('No sources yet').waitFor();
    await expectAccessible();
  },
  storyMs,
);

test(
  'a new source shows an error in its code with the line, asks for its props, and is deployed',
  async () => {
    await page.getByRole('link', { name: 'New source' }).first().click();
    await heading('New source').waitFor();
    await writeCode('export default {', 'name: "Orders"', 'version: "0.1.0",', '};');
    await button('Check and deploy').click();
    await page.getByRole('alert').getByText('line 4').waitFor();
    await writeCode(
      "export default { name: 'Orders', version: '0.1.0',",
      "props: { http: '$.interface.http', greeting: { type: 'string', label: 'Greeting' } },",
      'run({ body }) { console.log(this.greeting, body.customer);',
      "this.$emit(body, { summary: 'Order of ' + body.customer }); } };",
    );
    await button('Check and deploy').click();
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello');
    await expectAccessible();
    await page.getByRole('textbox', { name: 'Name' }).fill(`Orders ${hostile}`);
    await button('Deploy').click();
    await page.getByText('No events yet').waitFor();
    await expectAccessible();
  },
  storyMs,
);

test(
  'events appear live, HTML in them is shown as text, and new ones wait while the list is paused',
  async () => {
    await page.getByText('Live', { exact: true }).waitFor();
    endpoint = (await page.locator('.endpoint code').first().textContent()) ?? '';
    const entry = (customer: string) => page.getByRole('button', { name: `Order of ${customer}` });
    await send('Ada');
    await entry('Ada').waitFor();
    await send(hostile);
    await entry('<img').waitFor();
    await entry('<img').click();
    await button('Copy path event.items').waitFor();
    await expectAccessible();
    await button('Pause').click();
    await send('Grace');
    await button('Show 1 new').click();
    await entry('Grace').click();
    await button('Delete').last().click();
    await button('Delete event').click();
    await entry('Grace').waitFor({ state: 'detached' });
    await entry('<img').click();
    await button('Copy path event.items').waitFor();
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
  },
  storyMs,
);

test(
  'an open event survives a reload, and logs, props and code of a source have pages of their own',
  async () => {
    const eventUrl = page.url();
    expect(eventUrl).toContain('?event=');
    await page.reload();
    await button('Copy path event.items').waitFor();
    await page.getByRole('link', { name: 'Logs' }).click();
    await page.getByText('Hello Ada').first().waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: 'Configuration' }).click();
    expect(await page.getByRole('textbox', { name: 'Greeting' }).inputValue()).toBe('Hello');
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    await expectAccessible();
    await page.getByRole('textbox', { name: 'Greeting' }).fill('Good evening');
    await button('Save props').click();
    await page.getByText('The props are saved.').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('// greets');
    await button('Review and deploy').click();
    await page.getByRole('region', { name: 'Changes' }).getByText('// greets').waitFor();
    await expectAccessible();
    await button('Deploy changes').click();
    await page.getByText('The code is deployed.').waitFor();
  },
  storyMs,
);

test(
  'a webhook is created and subscribed to the source, and the next event arrives, signed with the shown key',
  async () => {
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('link', { name: 'New webhook' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url('/hook'));
    await page.getByRole('textbox', { name: 'Name' }).fill(`Shop ${hostile}`);
    await page.getByRole('textbox', { name: 'Seconds before each retry' }).fill('0');
    await expectAccessible();
    await button('Create webhook').click();
    const key = await page.locator('.copy-line code').textContent();
    await page.getByRole('link', { name: 'Subscribe it to a source' }).click();
    await heading('New subscription').waitFor();
    await page.getByRole('combobox', { name: 'Source' }).click();
    await page.getByRole('option', { name: 'Orders' }).click();
    await expectAccessible();
    await button('Subscribe').click();
    await page.getByText('Nothing sent yet').waitFor();
    await expectAccessible();
    await send('Alan');
    await page.getByRole('region', { name: 'Delivery' }).getByText('Attempt 1').waitFor();
    await expectAccessible();
    const [first] = receiver.requestsTo('/hook');
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ customer: 'Alan' });
    if (first !== undefined) verify(key ?? '', first);
  },
  storyMs,
);

test(
  'the overview leads to a failing receiver, and its parked event is replayed once it works again',
  async () => {
    receiver.behaviours.set('/hook', 'error');
    await send('Barbara');
    await page.getByRole('link', { name: 'Wellspring, overview' }).click();
    await page.getByRole('img', { name: /^Delivery attempts: \d+, of which [1-9]/ }).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: '1 parked' }).click({ timeout: 60_000 });
    await page.getByText('attempts exhausted').waitFor();
    await expectAccessible();
    receiver.behaviours.delete('/hook');
    await page.getByRole('link', { name: 'Replay parked' }).click();
    // The timeline and the fields stay in step.
    await page.getByRole('slider', { name: 'From, on the timeline' }).press('ArrowRight');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).not.toBe('');
    await page.getByRole('slider', { name: 'From, on the timeline' }).press('ArrowLeft');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('');
    await button('Count').click();
    await page.getByText('1 event would be sent again').waitFor();
    await button('Start replay').click();
    await page.getByText('1 of 1 delivered').waitFor();
    await expectAccessible();
    const replayed = receiver.requestsTo('/hook').at(-1);
    expect(replayed?.headers['webhook-replay']).toBe('true');
  },
  storyMs,
);

test(
  'a filter and a transform are previewed on the newest events while they are edited, and saved',
  async () => {
    await page.getByRole('link', { name: 'Filter and transform' }).click();
    const events = page.getByRole('list', { name: 'Newest events' });
    await events.getByText('sent', { exact: true }).first().waitFor();
    await page.getByRole('textbox', { name: 'Filter' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('{ "customer": ["Alan"] }');
    await events.getByRole('listitem').filter({ hasText: 'Order of Barbara' }).getByText('left out').waitFor();
    await events
      .getByRole('listitem')
      .filter({ hasText: 'Order of Alan' })
      .getByText('sent', { exact: true })
      .waitFor();
    await expectAccessible();
    await button('Save filter').click();
    await page.getByText('The filter is saved.').waitFor();
    await events.getByText('Order of Alan').click();
    await page.getByRole('combobox', { name: 'Begin with a template' }).click();
    await page.getByRole('option', { name: 'The event in an envelope' }).click();
    await page
      .getByRole('region', { name: 'What is sent' })
      .getByRole('button', { name: 'Copy path event.time' })
      .waitFor();
    await page.getByRole('textbox', { name: 'Transform' }).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('(event) => ({ body: { for: event.customer }, headers: { "x-kind": "order" } })');
    const sent = page.getByRole('region', { name: 'What is sent' });
    await sent.getByText('x-kind: order').waitFor();
    await sent.getByText('"Alan"').waitFor();
    await expectAccessible();
    await button('Save transform').click();
    await page.getByText('The transform is saved.').waitFor();
  },
  storyMs,
);

test(
  'a webhook is found with Ctrl+K, paused, given a new signing key and resumed',
  async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('shop');
    await expectAccessible();
    await page.keyboard.press('Enter');
    await button('Pause').click();
    await page.getByText('paused', { exact: true }).waitFor();
    await button('New signing key').click();
    await button('Make a new key').click();
    await page.getByText('Copy it now').waitFor();
    await expectAccessible();
    await button('Resume').click();
    await button('Pause').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('Nothing needs attention').waitFor();
    await expectAccessible();
  },
  storyMs,
);

test(
  'no page has reported a fault, and the end of a session leads back to the sign-in',
  async () => {
    expect(faults).toEqual([]);
    await client.apiKeys.delete(key.id);
    await page.getByRole('textbox', { name: 'API key' }).fill(await product.apiKey());
    await button('Sign in').click();
    await button('Sign out').click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
  },
  storyMs,
);
