// Starts Debian's Chromium, and collects the faults and accessibility violations of a page.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launch(): Promise<Browser> {
  const executablePath = executables.find(isExecutable);
  if (executablePath === undefined)
    throw new Error(`No Chromium at ${executables.join(', ')}: apt-get install chromium, as .ci/run does`);
  // Root in a container has no user namespaces for Chromium's sandbox, and the pages are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Faults of the page itself: errors, and violations of its content security policy. */
export function faultsOf(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The page itself shows refused requests.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return faults;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Violations of WCAG 2.2 A and AA, one line for each element. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Through the debugger, to which the page's content security policy does not apply.
  await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
