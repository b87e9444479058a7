// The console in a browser, as somebody uses it for the first time: from the first source to its events, by clicks alone.
import type { Browser, Page } from 'playwright-core';
import { Product } from '../support/product.ts';
import { faultsOf, launch, violations } from './harness/browser.ts';
import { GatewayFront } from './harness/gateway-front.ts';

let product: Product;
let front: GatewayFront;
let browser: Browser;
let page: Page;
let faults: readonly string[];
beforeAll(async () => {
  product = await Product.start({ env: { EGRESS_ALLOW: '127.0.0.1/32' } });
  front = await GatewayFront.before(product.baseUrl, await product.apiKey());
  browser = await launch();
  page = await browser.newPage({ baseURL: front.url });
  page.setDefaultTimeout(15_000);
  faults = faultsOf(page);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await front?.close();
  await product?.remove();
});

/** Of the page as it stands, by the colours of the light and of the dark. */
async function expectAccessible(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violations(page)).toEqual([]);
  }
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** By keys, in place of what stands there. */
async function writeCode(...lines: readonly string[]): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  for (const line of lines) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
}

/** Runs as a script if anything takes it for more than text. */
const hostile = '<img src=x onerror="window.wasRun = 1"><script>window.wasRun = 1</script>';

test('a wrong key is refused in words, the right one leads to the page that was asked for', async () => {
  await page.goto('/sources');
  await page.getByRole('textbox', { name: 'API key' }).fill('pd_wrong');
  await button('Sign in').click();
  await page.getByText('This key is not valid').waitFor();
  await expectAccessible();
  await page.getByRole('textbox', { name: 'API key' }).fill(await product.apiKey());
  await button('Sign in').click();
  await heading('Sources').waitFor();
  await page.getByText('No sources yet').waitFor();
  await expectAccessible();
});

test('a source is written, its mistake is shown with its line, and it is deployed with what it asks for', async () => {
  await page.getByRole('link', { name: 'New source' }).first().click();
  await heading('New source').waitFor();
  await writeCode('export default {', 'name: "Orders"', 'version: "0.1.0",', '};');
  await button('Check and deploy').click();
  await page.getByRole('alert').getByText('(line 3').waitFor();
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
});

test('events are shown as they come, whatever text they hold, and wait while the list is paused', async () => {
  await page.getByText('Live', { exact: true }).waitFor();
  const endpoint = await page.locator('.endpoint code').first().textContent();
  const send = (customer: string): Promise<Response> =>
    fetch(endpoint ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customer, total: 12.5, items: [{ name: hostile }] }),
    });
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
  await entry('Grace').waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
});

test('each page of a source has an address, and shows the same when it is opened anew', async () => {
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
});

test('nothing broke the policy of content, and a session that ends leads back to the sign-in', async () => {
  expect(faults).toEqual([]);
  front.endSessions();
  await page.getByRole('textbox', { name: 'API key' }).waitFor();
});
