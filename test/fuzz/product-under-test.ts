// The product under test: starts it, checks its health, and reports the end of its log when it fails.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';

/** Enough for a busy machine; a product that takes longer counts as stuck. */
const healthMaxMs = 10_000;
const tailUnits = 500;
const fatalLineUnits = 1_000;
/** Pino's number for this level. */
const fatal = 60;

/** A broken promise; `kind` names it, so that the same one is reported only once. */
export class FuzzFailure extends Error {
  readonly kind: string;

  constructor(kind: string, details = '') {
    super(`${kind}${details === '' ? '' : `\n${details}`}`);
    this.kind = kind;
    this.name = 'FuzzFailure';
  }
}

export class ProductUnderTest {
  readonly product: Product;
  readonly #directory: string;

  private constructor(product: Product, directory: string) {
    this.product = product;
    this.#directory = directory;
  }

  static newDirectory(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'fuzz-')).then(removeLater);
  }

  /** Starts on the data of a directory, which `close` removes. Throws FuzzFailure if it does not become healthy. */
  static async open(directory: string): Promise<ProductUnderTest> {
    const log = openSync(join(directory, 'printed.log'), 'a');
    const product = await Product.create({ dataDir: directory, outputFd: log });
    try {
      await product.start();
      return new ProductUnderTest(product, directory);
    } catch (error) {
      // It might still be busy, and would disturb the next cases.
      await product.kill();
      throw failureWithLog('it does not start on this data', directory, error);
    } finally {
      closeSync(log);
    }
  }

  /** Throws FuzzFailure unless `/health` answers 200. */
  async expectHealthy(): Promise<void> {
    const signal = AbortSignal.timeout(healthMaxMs);
    const response = await fetch(`${this.product.baseUrl}/health`, { signal }).catch((error: unknown) => error);
    if (response instanceof Response && response.status === 200) return;
    const outcome = response instanceof Response ? `answers ${response.status}` : 'does not answer';
    throw failureWithLog(`/health ${outcome}`, this.#directory);
  }

  /** The cause of an error of a request: the product's own failure if it has failed, or else the error. */
  async causeOf(error: unknown): Promise<unknown> {
    if (error instanceof FuzzFailure) return error;
    return this.expectHealthy().then(
      () => error,
      (found: unknown) => found,
    );
  }

  /** Kills it with `kill -9`, and starts it on the stored data. */
  async restart(): Promise<void> {
    await this.product.kill();
    await this.product.start().catch((error: unknown) => {
      throw failureWithLog('it does not start again', this.#directory, error);
    });
  }

  async close(): Promise<void> {
    await this.product.remove();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Last lines of its output that are not JSON. */
const plainLinesMax = 3;

/** With the fatal log line, if there is one, which distinguishes causes. */
function failureWithLog(kind: string, directory: string, error?: unknown): FuzzFailure {
  const printed = readFileSync(join(directory, 'printed.log'), 'utf8').trimEnd();
  const fatalLine = printed.split('\n').findLast((line) => line.startsWith(`{"level":${fatal},`));
  const details = [
    (error as Error | undefined)?.message.split('\n')[0],
    fatalLine?.slice(0, fatalLineUnits),
    // Advice for people is not printed as a JSON log line.
    ...printed
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'))
      .slice(-plainLinesMax),
    printed.slice(-tailUnits),
  ];
  return new FuzzFailure(
    fatalLine === undefined ? kind : `${kind}: ${causeIn(fatalLine)}`,
    details.filter(Boolean).join('\n  '),
  );
}

/** The message, and the first place in our own code. */
function causeIn(line: string): string {
  const { message = '', stack = '' } = (JSON.parse(line) as { err?: { message?: string; stack?: string } }).err ?? {};
  const location = /\/dist\/([\w./-]+):\d+/.exec(stack)?.[1] ?? 'nowhere of ours';
  return `${message.slice(0, 100)} (${location})`;
}
