// The product under trial: booted, asked how it is, and told of by the end of its log when it fails.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeLater } from '../support/processes/left-behind.ts';
import { Product } from '../support/product.ts';

/** A busy machine is slow; what takes longer stands still. */
const healthMaxMs = 10_000;
const tailUnits = 500;
const lastWordUnits = 1_000;
/** As pino numbers it. */
const fatal = 60;

/** What was drawn broke a promise; `kind` names which, so that the same is told once. */
export class Broken extends Error {
  readonly kind: string;

  constructor(kind: string, details = '') {
    super(`${kind}${details === '' ? '' : `\n${details}`}`);
    this.kind = kind;
    this.name = 'Broken';
  }
}

export class House {
  readonly product: Product;
  readonly #directory: string;

  private constructor(product: Product, directory: string) {
    this.product = product;
    this.#directory = directory;
  }

  static newDirectory(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'fuzz-')).then(removeLater);
  }

  /** On the data of a directory, which it removes in the end. Throws Broken if it does not become healthy. */
  static async open(directory: string): Promise<House> {
    const log = openSync(join(directory, 'printed.log'), 'a');
    const product = await Product.on({ dataDir: directory, printsTo: log });
    try {
      await product.start();
      return new House(product, directory);
    } catch (error) {
      // It may still be busy, and would be beside all that is tried next.
      await product.kill();
      throw broken('it does not start on this data', directory, error);
    } finally {
      closeSync(log);
    }
  }

  /** Throws Broken unless `/health` says that every stage moves. */
  async expectWell(): Promise<void> {
    const signal = AbortSignal.timeout(healthMaxMs);
    const asked = await fetch(`${this.product.baseUrl}/health`, { signal }).catch((error: unknown) => error);
    if (asked instanceof Response && asked.status === 200) return;
    const how = asked instanceof Response ? `answers ${asked.status}` : 'does not answer';
    throw broken(`/health ${how}`, this.#directory);
  }

  /** What went wrong when it was asked something: by its own last word, if it had one. */
  async blame(error: unknown): Promise<unknown> {
    if (error instanceof Broken) return error;
    return this.expectWell().then(
      () => error,
      (found: unknown) => found,
    );
  }

  /** `kill -9`, and a start on what it had stored. */
  async restart(): Promise<void> {
    await this.product.kill();
    await this.product.start().catch((error: unknown) => {
      throw broken('it does not start again', this.#directory, error);
    });
  }

  async close(): Promise<void> {
    await this.product.remove();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Of what it has told people, at its end. */
const linesForPeople = 3;

/** With why it ended, if it has told: so much tells one cause from another. */
function broken(kind: string, directory: string, error?: unknown): Broken {
  const printed = readFileSync(join(directory, 'printed.log'), 'utf8').trimEnd();
  const lastWord = printed.split('\n').findLast((line) => line.startsWith(`{"level":${fatal},`));
  const details = [
    (error as Error | undefined)?.message.split('\n')[0],
    lastWord?.slice(0, lastWordUnits),
    // What a person is told to do is no line of the log.
    ...printed
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'))
      .slice(-linesForPeople),
    printed.slice(-tailUnits),
  ];
  return new Broken(
    lastWord === undefined ? kind : `${kind}: ${causeIn(lastWord)}`,
    details.filter(Boolean).join('\n  '),
  );
}

/** The message, and the first place of ours. */
function causeIn(line: string): string {
  const { message = '', stack = '' } = (JSON.parse(line) as { err?: { message?: string; stack?: string } }).err ?? {};
  const place = /\/dist\/([\w./-]+):\d+/.exec(stack)?.[1] ?? 'nowhere of ours';
  return `${message.slice(0, 100)} (${place})`;
}
