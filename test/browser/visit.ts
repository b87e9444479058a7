// A signed-in page of the console on its own service, with the steps that stories repeat.
import { expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { createClient } from '../../libs/client/index.ts';
import type { Client } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { faultsOf, launch, violations } from './browser.ts';

/** For a step on a busy machine; an idle one needs a tenth of a second. */
export const stepMs = 30_000;
/** For a story, which has many steps. */
export const storyMs = 180_000;
export const beginMs = 90_000;

export class Visit {
  readonly product: Product;
  readonly client: Client;
  readonly browser: Browser;
  readonly page: Page;
  /** Faults of the page itself. */
  readonly faults: readonly string[];

  private constructor(product: Product, client: Client, browser: Browser, page: Page) {
    this.product = product;
    this.client = client;
    this.browser = browser;
    this.page = page;
    this.faults = faultsOf(page);
  }

  static async begin(): Promise<Visit> {
    const product = await Product.start({ env: { EGRESS_ALLOW: '127.0.0.1/32' } });
    const apiKey = await product.apiKey();
    const client = createClient({ baseUrl: product.baseUrl, apiKey });
    const browser = await launch();
    const page = await browser.newPage({ baseURL: product.baseUrl });
    page.setDefaultTimeout(stepMs);
    const visit = new Visit(product, client, browser, page);
    await visit.signIn(apiKey);
    return visit;
  }

  async signIn(apiKey: string, page: Page = this.page): Promise<void> {
    await page.goto('/');
    await page.getByRole('textbox', { name: 'API key' }).fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.product.remove();
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  link(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true });
  }

  field(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true });
  }

  /** Chooses an option of a list that opens below its field. */
  async choose(field: string, option: string): Promise<void> {
    await this.page.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Whether the current page needs no scrolling to the side in a window of this width with text of this size. */
  async fits({ width, fontSize }: { readonly width: number; readonly fontSize: string }): Promise<boolean> {
    const before = this.page.viewportSize();
    await this.page.setViewportSize({ width, height: 740 });
    const needed = await this.page.evaluate(`(({ documentElement: root }) => {
      root.style.fontSize = '${fontSize}';
      const { scrollWidth } = root;
      root.style.fontSize = '';
      return scrollWidth;
    })(document)`);
    if (before !== null) await this.page.setViewportSize(before);
    return needed === width;
  }

  /** Checks the current page, in light and in dark colours. */
  async expectAccessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(this.page)).toEqual([]);
    }
  }
}
