// `npm run bench:console`: measures the console's first load, live events, a list of 100,000, and an event of 512 KiB.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { figure, medianOf } from '../bench/report/figure.ts';
import type { Figure } from '../bench/report/figure.ts';
import { table } from '../bench/report/report.ts';
import { endWithNpm } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';
import { until } from '../support/until.ts';
import { launch } from './browser.ts';

const eventsListed = 100_000;
const eventsAtOnce = 1_000;
const eventsTimed = 20;
const loadsTimed = 5;
/** The views follow the log with a delay. */
const listedDeadlineMs = 120_000;
const largeBytes = 510 * 1_024;
/** Pages of a list that are loaded by scrolling. */
const pagesLoaded = 10;

const figures: Figure[] = [];
function say(what: string, value: number, unit: string, goal: string | null = null): void {
  figures.push(figure(what, value, unit, goal));
}

/** Measures compressed bytes and the time until the user can type, each time with an empty cache. */
async function firstLoads(browser: Browser, apiKey: string): Promise<void> {
  const loads: Load[] = [];
  for (let load = 0; load < loadsTimed; load++) loads.push(await firstLoad(browser, apiKey));
  const times = loads.map(({ signInMs }) => signInMs);
  say('sign-in page, interactive after, median', medianOf(times), 'ms', '<= 1000 ms');
  say('sign-in page, interactive after, slowest', Math.max(...times), 'ms');
  say('overview, interactive after, median', medianOf(loads.map(({ overviewMs }) => overviewMs)), 'ms', '<= 1000 ms');
  say('overview, interactive after, slowest', Math.max(...loads.map(({ overviewMs }) => overviewMs)), 'ms');
  say('first load, compressed', Math.max(...loads.map(({ bytes }) => bytes)) / 1_000, 'KB', '<= 300 KB');
}

interface Load {
  readonly signInMs: number;
  /** Signed in and without the cache: the time until the page shows what needs attention. */
  readonly overviewMs: number;
  /** All bytes loaded until then. */
  readonly bytes: number;
}

async function firstLoad(browser: Browser, apiKey: string): Promise<Load> {
  const page = await newPage(browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const signInMs = await shownAfter(page, '/', `document.activeElement?.matches('[name=api_key]')`);
  await signIn(page, apiKey);
  await page.getByText('Nothing needs attention').waitFor();
  await page.waitForLoadState('networkidle');
  const all = bytes;
  await session.send('Network.clearBrowserCache');
  const overviewMs = await shownAfter(page, '/', isShown('Nothing needs attention'));
  await page.context().close();
  return { signInMs, overviewMs, bytes: all };
}

/** Time from the navigation until the page has drawn it, by one clock: the driver polls only every half second. */
async function shownAfter(page: Page, path: string, condition: string): Promise<number> {
  const begun = Date.now();
  await page.goto(path, { waitUntil: 'commit' });
  return (await inPage<number>(page, appearance(condition))) - begun;
}

/** In its own context, so that its cache is empty. */
async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.baseUrl, viewport: { width: 1280, height: 800 } });
  return context.newPage();
}

async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

const inPage = <T>(page: Page, script: string): Promise<T> => page.evaluate(script) as Promise<T>;

/** Measures the time from the publishing request until the page draws the event, by one clock. */
async function liveEvents(page: Page, client: Client): Promise<void> {
  const source = await client.deploySource({ kind: 'channel', name: 'Live' });
  await page.goto(`/sources/${source.id}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const times: number[] = [];
  for (let number = 0; number < eventsTimed; number++) {
    const seen = inPage<number>(page, appearance(isShown(`event ${number}.`)));
    const begun = Date.now();
    await client.publish(source.id, [{ event: { number }, summary: `event ${number}.` }]);
    times.push((await seen) - begun);
  }
  say('a live event appears after, median', medianOf(times), 'ms', '<= 500 ms');
  say('a live event appears after, slowest', Math.max(...times), 'ms', '<= 500 ms');
}

const isShown = (text: string): string => `document.body?.textContent.includes(${JSON.stringify(text)})`;

/** Script that resolves once the condition holds and its frame is drawn, when the page responds again. */
const appearance = (condition: string): string => `new Promise((resolve) => {
  const look = () => ${condition}
    ? requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
    : requestAnimationFrame(look);
  look();
})`;

/** Script that counts tasks that block input, of more than 50 ms, and keeps the longest. */
const watchTasks = `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask' });`;

const forgetTasks = 'void window.longTasks.splice(0)';

async function sayTasks(page: Page, what: string): Promise<void> {
  const tasks = await inPage<readonly number[]>(page, 'window.longTasks.splice(0)');
  say(`${what}, tasks over 50 ms`, tasks.length, '');
  say(`${what}, longest task`, Math.max(0, ...tasks), 'ms', '<= 100 ms');
}

async function longList(page: Page, client: Client): Promise<void> {
  const source = await client.deploySource({ kind: 'channel', name: 'Long' });
  for (let sent = 0; sent < eventsListed; sent += eventsAtOnce) {
    const numbers = Array.from({ length: eventsAtOnce }, (_, index) => sent + index);
    await client.publish(
      source.id,
      numbers.map((number) => ({ event: { number, customer: { name: 'Ada' } }, summary: `order ${number}` })),
    );
  }
  await until(
    'the events to be listed',
    async () => {
      const { data } = await client.eventSummaries(source.id, { limit: 1 });
      return data[0]?.metadata.summary === `order ${eventsListed - 1}`;
    },
    listedDeadlineMs,
  );
  const times: number[] = [];
  for (let load = 0; load < loadsTimed; load++)
    times.push(await shownAfter(page, `/sources/${source.id}`, isShown(`order ${eventsListed - 1}`)));
  say('the list of 100,000 events is there after, median', medianOf(times), 'ms', '<= 1000 ms');
  say('the list of 100,000 events is there after, slowest', Math.max(...times), 'ms');
  await inPage(page, forgetTasks);
  const more = page.getByRole('button', { name: 'Load more' });
  for (let number = 0; number < pagesLoaded; number++) {
    const shown = await page.locator('.entry').count();
    await more.click();
    await page.locator('.entry').nth(shown).waitFor();
  }
  const list = await page.context().newCDPSession(page);
  await scroll(list);
  await sayTasks(page, `the list while ${pagesLoaded} pages are loaded and scrolled`);
  await page.getByRole('searchbox').fill('order 99');
  await sayTasks(page, 'the list while it is searched');
}

async function scroll(session: CDPSession): Promise<void> {
  for (const deltaY of [2_000, 2_000, -2_000, 2_000, 2_000])
    await session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 400, y: 600, deltaX: 0, deltaY });
}

async function largeEvent(page: Page, client: Client): Promise<void> {
  const source = await client.deploySource({ kind: 'channel', name: 'Large' });
  await page.goto(`/sources/${source.id}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const line = { sku: 'tea-250', count: 1, note: 'x'.repeat(60) };
  const lines = Array.from({ length: Math.floor(largeBytes / (JSON.stringify(line).length + 1)) - 10 }, () => line);
  await inPage(page, forgetTasks);
  const begun = performance.now();
  await client.publish(source.id, [{ event: { lines }, summary: 'large' }]);
  await page.getByRole('button', { name: 'Copy path event.lines[0]', exact: true }).waitFor();
  say('an event of 512 KiB is drawn after', performance.now() - begun, 'ms', '<= 1000 ms');
  await page.getByRole('button', { name: /more$/ }).click();
  await page.getByRole('button', { name: 'Copy path event.lines[150]', exact: true }).waitFor();
  await sayTasks(page, 'an event of 512 KiB');
  const text = await client.deploySource({ kind: 'channel', name: 'Text' });
  await client.publish(text.id, [{ event: { text: 'y'.repeat(largeBytes - 100) }, summary: 'one text' }]);
  await page.goto(`/sources/${text.id}`);
  await page.getByRole('button', { name: 'Copy path event.text' }).waitFor();
  await sayTasks(page, 'a text of 512 KiB');
}

endWithNpm();
const product = await Product.start();
const browser = await launch();
try {
  const apiKey = await product.apiKey();
  const client = createClient({ baseUrl: product.baseUrl, apiKey });
  await firstLoads(browser, apiKey);
  const page = await newPage(browser);
  await page.addInitScript(watchTasks);
  await page.goto('/');
  await signIn(page, apiKey);
  await liveEvents(page, client);
  await longList(page, client);
  await largeEvent(page, client);
  console.log(table(figures));
} finally {
  await browser.close();
  await product.remove();
}
