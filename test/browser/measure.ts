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
function addFigure(what: string, value: number, unit: string, goal: string | null = null): void {
  figures.push(figure(what, value, unit, goal));
}

/** Measures compressed bytes and the time until the user can type, each time with an empty cache. */
async function measureFirstLoads(browser: Browser, apiKey: string): Promise<void> {
  const loads: Load[] = [];
  for (let load = 0; load < loadsTimed; load++) loads.push(await measureFirstLoad(browser, apiKey));
  const times = loads.map(({ signInMs }) => signInMs);
  addFigure('sign-in page, interactive after, median', medianOf(times), 'ms', '<= 1000 ms');
  addFigure('sign-in page, interactive after, slowest', Math.max(...times), 'ms');
  addFigure(
    'overview, interactive after, median',
    medianOf(loads.map(({ overviewMs }) => overviewMs)),
    'ms',
    '<= 1000 ms',
  );
  addFigure('overview, interactive after, slowest', Math.max(...loads.map(({ overviewMs }) => overviewMs)), 'ms');
  addFigure('first load, compressed', Math.max(...loads.map(({ bytes }) => bytes)) / 1_000, 'KB', '<= 300 KB');
}

interface Load {
  readonly signInMs: number;
  /** Signed in and without the cache: the time until the page shows what needs attention. */
  readonly overviewMs: number;
  /** All bytes loaded until then. */
  readonly bytes: number;
}

async function measureFirstLoad(browser: Browser, apiKey: string): Promise<Load> {
  const page = await newPage(browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const signInMs = await timeUntilShown(page, '/', `document.activeElement?.matches('[name=api_key]')`);
  await signIn(page, apiKey);
  await page.getByText('Nothing needs attention').waitFor();
  await page.waitForLoadState('networkidle');
  const firstLoadBytes = bytes;
  await session.send('Network.clearBrowserCache');
  const overviewMs = await timeUntilShown(page, '/', isShown('Nothing needs attention'));
  await page.context().close();
  return { signInMs, overviewMs, bytes: firstLoadBytes };
}

/** Time from the navigation until the page has drawn it, by one clock: the driver polls only every half second. */
async function timeUntilShown(page: Page, path: string, condition: string): Promise<number> {
  const begun = Date.now();
  await page.goto(path, { waitUntil: 'commit' });
  return (await evaluateIn<number>(page, shownScript(condition))) - begun;
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

const evaluateIn = <T>(page: Page, script: string): Promise<T> => page.evaluate(script) as Promise<T>;

/** Measures the time from the publishing request until the page draws the event, by one clock. */
async function measureLiveEvents(page: Page, client: Client): Promise<void> {
  const source = await client.deploySource({ kind: 'channel', name: 'Live' });
  await page.goto(`/sources/${source.id}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const times: number[] = [];
  for (let number = 0; number < eventsTimed; number++) {
    const seen = evaluateIn<number>(page, shownScript(isShown(`event ${number}.`)));
    const begun = Date.now();
    await client.publish(source.id, [{ event: { number }, summary: `event ${number}.` }]);
    times.push((await seen) - begun);
  }
  addFigure('a live event appears after, median', medianOf(times), 'ms', '<= 500 ms');
  addFigure('a live event appears after, slowest', Math.max(...times), 'ms', '<= 500 ms');
}

const isShown = (text: string): string => `document.body?.textContent.includes(${JSON.stringify(text)})`;

/** Script that resolves once the condition holds and its frame is drawn, when the page responds again. */
const shownScript = (condition: string): string => `new Promise((resolve) => {
  const look = () => ${condition}
    ? requestAnimationFrame(() => setTimeout(() => resolve(Date.now())))
    : requestAnimationFrame(look);
  look();
})`;

/** Script that counts tasks that block input, of more than 50 ms, and keeps the longest. */
const watchTasksScript = `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask' });`;

const clearTasksScript = 'void window.longTasks.splice(0)';

async function addTaskFigures(page: Page, what: string): Promise<void> {
  const tasks = await evaluateIn<readonly number[]>(page, 'window.longTasks.splice(0)');
  addFigure(`${what}, tasks over 50 ms`, tasks.length, '');
  addFigure(`${what}, longest task`, Math.max(0, ...tasks), 'ms', '<= 100 ms');
}

async function measureLongList(page: Page, client: Client): Promise<void> {
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
    times.push(await timeUntilShown(page, `/sources/${source.id}`, isShown(`order ${eventsListed - 1}`)));
  addFigure('the list of 100,000 events is there after, median', medianOf(times), 'ms', '<= 1000 ms');
  addFigure('the list of 100,000 events is there after, slowest', Math.max(...times), 'ms');
  await evaluateIn(page, clearTasksScript);
  const more = page.getByRole('button', { name: 'Load more' });
  for (let number = 0; number < pagesLoaded; number++) {
    const shown = await page.locator('.entry').count();
    await more.click();
    await page.locator('.entry').nth(shown).waitFor();
  }
  const list = await page.context().newCDPSession(page);
  await scroll(list);
  await addTaskFigures(page, `the list while ${pagesLoaded} pages are loaded and scrolled`);
  await page.getByRole('searchbox').fill('order 99');
  await addTaskFigures(page, 'the list while it is searched');
}

async function scroll(session: CDPSession): Promise<void> {
  for (const deltaY of [2_000, 2_000, -2_000, 2_000, 2_000])
    await session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 400, y: 600, deltaX: 0, deltaY });
}

async function measureLargeEvent(page: Page, client: Client): Promise<void> {
  const source = await client.deploySource({ kind: 'channel', name: 'Large' });
  await page.goto(`/sources/${source.id}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  const line = { sku: 'tea-250', count: 1, note: 'x'.repeat(60) };
  const lines = Array.from({ length: Math.floor(largeBytes / (JSON.stringify(line).length + 1)) - 10 }, () => line);
  await evaluateIn(page, clearTasksScript);
  const begun = performance.now();
  await client.publish(source.id, [{ event: { lines }, summary: 'large' }]);
  await page.getByRole('button', { name: 'Copy path event.lines[0]', exact: true }).waitFor();
  addFigure('an event of 512 KiB is drawn after', performance.now() - begun, 'ms', '<= 1000 ms');
  await page.getByRole('button', { name: /more$/ }).click();
  await page.getByRole('button', { name: 'Copy path event.lines[150]', exact: true }).waitFor();
  await addTaskFigures(page, 'an event of 512 KiB');
  const text = await client.deploySource({ kind: 'channel', name: 'Text' });
  await client.publish(text.id, [{ event: { text: 'y'.repeat(largeBytes - 100) }, summary: 'one text' }]);
  await page.goto(`/sources/${text.id}`);
  await page.getByRole('button', { name: 'Copy path event.text' }).waitFor();
  await addTaskFigures(page, 'a text of 512 KiB');
}

endWithNpm();
const product = await Product.start();
const browser = await launch();
try {
  const apiKey = await product.apiKey();
  const client = createClient({ baseUrl: product.baseUrl, apiKey });
  await measureFirstLoads(browser, apiKey);
  const page = await newPage(browser);
  await page.addInitScript(watchTasksScript);
  await page.goto('/');
  await signIn(page, apiKey);
  await measureLiveEvents(page, client);
  await measureLongList(page, client);
  await measureLargeEvent(page, client);
  console.log(table(figures));
} finally {
  await browser.close();
  await product.remove();
}
