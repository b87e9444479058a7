// `npm run screenshots`: takes pictures of the console's main pages, light and dark, for docs/images and the README.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { endWithNpm } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { launch } from './browser.ts';

const directory = fileURLToPath(new URL('../../docs/images', import.meta.url));
const viewport = { width: 1280, height: 800 };
const orders = `export default {
  name: 'Orders', version: '1.0.0', props: { http: '$.interface.http' },
  run({ body }) {
    console.log('order', body.id);
    this.$emit(body, { id: body.id, summary: \`Order \${body.id} of \${body.customer.name}\` });
  },
};`;

endWithNpm();
await mkdir(directory, { recursive: true });
const product = await Product.start({ env: { EGRESS_ALLOW: '127.0.0.0/8' } });
const receiver = await Receiver.start();
const browser = await launch();
try {
  const apiKey = await product.apiKey();
  const source = await createSampleData(createClient({ baseUrl: product.baseUrl, apiKey }));
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ baseURL: product.baseUrl, viewport, colorScheme });
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Needs attention', exact: true }).waitFor();
    await takeScreenshot(page, `overview-${colorScheme}`);
    await page.goto(`/sources/${source}`);
    await page.getByText('customer').first().waitFor();
    await takeScreenshot(page, `source-${colorScheme}`);
    await page.close();
  }
} finally {
  await browser.close();
  await receiver.stop();
  await product.remove();
}

/** Creates a source with events, a receiver that accepts them and one that fails; returns the source's id. */
async function createSampleData(client: Client): Promise<string> {
  const source = await client.deploySource({ component_code: orders, name: 'orders' });
  const [good, bad] = ['/warehouse', '/billing'];
  receiver.behaviours.set(bad, 'error');
  for (const path of [good, bad]) {
    const webhook = await client.createWebhook({ url: receiver.url(path), name: path.slice(1), retry_schedule: [] });
    await client.createSubscription({ emitter_id: source.id, listener_id: webhook.id });
  }
  for (const [index, name] of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan', 'Radia'].entries()) {
    const body = JSON.stringify({
      id: 1_041 + index,
      customer: { name },
      lines: [{ sku: 'tea-250', count: index + 1 }],
    });
    const headers = { 'content-type': 'application/json' };
    await fetch(source.configured_props.http.endpoint_url, { method: 'POST', headers, body });
  }
  await until('the failed deliveries to be parked', async () => {
    const { page_info } = await client.findDeliveries({ source_id: source.id, state: 'parked' });
    return page_info.total_count === 6;
  });
  return source.id;
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' });
}
