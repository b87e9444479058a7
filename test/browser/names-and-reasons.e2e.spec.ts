// The console says which record is which and why somebody is signed out, and shows its pages in narrow windows.
import type { Page } from 'playwright-core';
import { storyMs, beginMs, stepMs, Visit } from './visit.ts';
import { until } from '../support/until.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

const narrow = { width: 390, height: 844 };
const wide = { width: 1_280, height: 800 };

/** A page of somebody else, with its own cookies. */
async function openAsStranger(): Promise<Page> {
  const page = await visit.browser.newPage({ baseURL: visit.product.baseUrl });
  page.setDefaultTimeout(stepMs);
  return page;
}

test(
  'no form offers to save a name of blanks only',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Named' });
    const account = await client.accounts.create({ app: 'atlas', name: 'Maps', credentials: { token: 'hush' } });
    for (const [path, button] of [
      ['/api-keys/new', 'Create key'],
      ['/data-stores/new', 'Create'],
      [`/accounts/${account.id}`, 'Save name'],
      [`/sources/${id}/configuration`, 'Save settings'],
    ] as const) {
      await page.goto(path);
      await visit.field('Name').fill('   ');
      expect([path, await visit.button(button).isDisabled()]).toEqual([path, true]);
      await visit.field('Name').fill(' a ');
      expect([path, await visit.button(button).isDisabled()]).toEqual([path, false]);
      await visit.field('Name').fill('');
    }
    await page.goto('/sources/new');
    await page.getByText('Channel, no code').click();
    expect(await visit.button('Create channel').isDisabled()).toBe(true);
    await visit.field('Name').fill('Another');
    await visit.button('Create channel').click();
    await visit.heading('Another').waitFor();
  },
  storyMs,
);

test(
  'sources of one name are told apart by their slugs wherever one is chosen',
  async () => {
    const { page, client } = visit;
    const twins = [];
    for (let n = 0; n < 2; n++) twins.push(await client.deploySource({ kind: 'channel', name: 'Twin' }));
    const [, second] = twins;
    await page.goto(`/subscriptions/new?source=${second?.id}`);
    const field = page.getByRole('combobox', { name: 'Source' });
    await until('the name of the source', async () => (await field.inputValue()) === 'Twin (twin-1)');
    await visit.choose('Source', 'Twin (twin)');
    expect(await field.inputValue()).toBe('Twin (twin)');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('twin');
    // The form has another source by now than the address named, so it asks before it is left.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('option', { name: 'Twin (twin-1)' }).click();
    await page.waitForURL(`**/sources/${second?.id}`);
    await visit.expectAccessible();
  },
  storyMs,
);

test(
  'a sign-in link that was used, has expired or is damaged says so, until somebody signs in',
  async () => {
    const page = await openAsStranger();
    for (const token of ['x'.repeat(43), '%E0%A4%A', '']) {
      await page.goto('/favicon.svg');
      await page.goto(`/#sign-in=${token}`);
      await page.getByRole('alert').getByText('This link was used or has expired: sign in with the API key.').waitFor();
      expect(new URL(page.url()).hash).toBe('');
    }
    await visit.signIn(await visit.product.apiKey(), page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  },
  storyMs,
);

test(
  'who is signed in by a key that is deleted is told so, also after a reload',
  async () => {
    const page = await openAsStranger();
    const { id, key } = await visit.client.apiKeys.create({ name: 'Guest' });
    await visit.signIn(key, page);
    await visit.client.apiKeys.delete(id);
    const told = page.getByRole('alert').getByText('The API key of this session is deleted: sign in with another one.');
    await told.waitFor();
    await page.reload();
    await told.waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.close();
  },
  storyMs,
);

test(
  'a list with a long name and a long error fits its card, as does the overview, and shows the state in a narrow window',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Long', version: '0.0.1',
        run() { throw new Error('${'It did not work at all. '.repeat(9)}${'x'.repeat(2_000)}'); } };`,
      name: 'A name that is as long as names can be '.repeat(6).trim(),
    });
    await client.runNowAndWait(id);
    await page.setViewportSize(wide);
    await page.goto('/sources');
    await page.getByText('It did not work').waitFor();
    const list = page.getByRole('region', { name: 'Sources' });
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-scroll'))`;
    expect(await page.evaluate(hidden)).toBe(0);
    await page.setViewportSize(narrow);
    const state = await list
      .getByRole('row')
      .filter({ hasText: id })
      .getByText('active', { exact: true })
      .boundingBox();
    expect((state?.x ?? narrow.width) + (state?.width ?? 0)).toBeLessThanOrEqual(narrow.width);
    await page.setViewportSize(wide);
    await page.goto('/');
    await page.getByText('It did not work').waitFor();
    expect(await visit.fits({ width: narrow.width, fontSize: '100%' })).toBe(true);
  },
  storyMs,
);

test(
  'what could not be loaded is not said to be missing, or to be in order',
  async () => {
    const { page } = visit;
    const refused = { status: 500, json: { error: 'it broke', code: 'internal' } };
    await page.route(/\/v1\/(webhooks|sources|accounts)\?/, (route) => route.fulfill(refused));
    await page.goto('/subscriptions/new');
    await page.getByRole('alert').getByText('not loaded: it broke').waitFor();
    expect(await page.getByText('There is no webhook yet').count()).toBe(0);
    await page.goto('/');
    await page.getByRole('alert').getByText('it broke').first().waitFor();
    await page.getByText('Delivery attempts').first().waitFor();
    expect(await page.getByText(/Nothing needs attention|First steps/).count()).toBe(0);
    await page.unroute(/\/v1\/(webhooks|sources|accounts)\?/);
  },
  storyMs,
);

test(
  'a page that cannot be drawn says so, and the others can be reached',
  async () => {
    const page = await openAsStranger();
    await visit.signIn(await visit.product.apiKey(), page);
    const foreign = { data: [null], page_info: {} };
    await page.route('**/v1/**', (route) => route.fulfill({ status: 200, json: foreign }));
    await page.goto('/activity');
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor();
    await page.unroute('**/v1/**');
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await page.getByText('This page cannot be shown').count()).toBe(0);
    await page.close();
  },
  storyMs,
);

test(
  'in a narrow or low window the navigation shows where one is, and everything in it can be reached',
  async () => {
    const { page } = visit;
    const inView = async (name: string): Promise<boolean> => {
      const { width, height } = page.viewportSize() ?? narrow;
      const box = await page.locator('.side, .tabs').getByText(name, { exact: true }).boundingBox();
      return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
    };
    await page.setViewportSize(narrow);
    for (const name of ['API keys', 'Overview', 'Deliveries']) {
      // A click by the pointer would bring the link into view itself.
      await visit.link(name).evaluate((link: { readonly click: () => void }) => link.click());
      await visit.heading(name).waitFor();
      expect([name, await inView(name)]).toEqual([name, true]);
    }
    // A small screen at 150 %.
    await page.setViewportSize({ width: 910, height: 420 });
    await page.goto('/api-keys');
    await visit.heading('API keys').waitFor();
    expect(await inView('API keys')).toBe(true);
    await visit.button('Sign out').hover();
    expect(await inView('Sign out')).toBe(true);
    await page.setViewportSize(wide);
  },
  storyMs,
);

test(
  'in a narrow window the buttons of a long text stand in one line',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({ kind: 'channel', name: 'Texts' });
    await client.publish(id, [{ event: { text: 'word '.repeat(200) }, summary: 'long' }]);
    await page.setViewportSize(narrow);
    await page.goto(`/sources/${id}`);
    await page.getByText('long', { exact: true }).click();
    const box = await page.getByRole('button', { name: 'Copy path event.text' }).boundingBox();
    expect(box?.width).toBeGreaterThan(box?.height ?? 0);
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);
