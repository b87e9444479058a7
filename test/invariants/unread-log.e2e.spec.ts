import { closeSync, openSync } from 'node:fs';
import { engine } from '../support/engine.ts';
import { command } from '../support/log-load.ts';
import { Product } from '../support/product.ts';
import { UnreadPipe } from '../support/processes/unread-pipe.ts';

/** Ctrl-C is over by then, whether or not anybody reads what is printed. */
const endMaxMs = 5_000;
/** Of one request on a busy machine; one that waits for the log never ends. */
const answerMaxMs = 5_000;
/** Their log is twice what a pipe holds. */
const commands = 400;

interface Reader {
  /** What the product prints to. */
  readonly descriptor: number;
  /** Once the product has it. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

function pipe(begin: (pipe: UnreadPipe) => void | Promise<void>): () => Reader {
  return () => {
    const pipe = new UnreadPipe();
    return { descriptor: pipe.writingEnd, begin: async () => begin(pipe), end: () => pipe.breakOff() };
  };
}

function fullDisk(): Reader {
  const descriptor = openSync('/dev/full', 'w');
  return { descriptor, begin: async () => undefined, end: async () => closeSync(descriptor) };
}

const standingStill = (pipe: UnreadPipe): void => {
  pipe.startReading();
  pipe.freezeReader();
};

type Case = [string, NodeJS.Signals, () => Reader];

const nobody: readonly Case[] = [
  ['nobody reads', 'SIGTERM', pipe(() => undefined)],
  ['a reader reads that stands still', 'SIGTERM', pipe(standingStill)],
];
/** What each process meets alone, and is the same in all of them. */
const alone: readonly Case[] = [
  ['nobody reads', 'SIGINT', pipe(() => undefined)],
  ['a reader read that died', 'SIGTERM', pipe((it) => it.breakOff())],
  ['goes to a full disk', 'SIGTERM', fullDisk],
];

test.each<Case>(engine === 'embedded' ? [...nobody, ...alone] : nobody)(
  'with a log that %s it answers, is healthy and ends on %s',
  async (_, signal, reading) => {
    const reader = reading();
    const product = await Product.start({ printsTo: reader.descriptor });
    try {
      await reader.begin();
      expect(await command(product, commands)).toBeLessThan(answerMaxMs);
      expect((await fetch(`${product.baseUrl}/health`)).status).toBe(200);
      const askedAt = performance.now();
      expect(await product.stop(signal)).toBe(0);
      expect(performance.now() - askedAt).toBeLessThan(endMaxMs);
    } finally {
      await product.remove();
      await reader.end();
    }
  },
  120_000,
);
