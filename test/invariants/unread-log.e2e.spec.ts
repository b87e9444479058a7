import { closeSync, openSync } from 'node:fs';
import { engine } from '../support/engine.ts';
import { renameRepeatedly } from '../support/log-load.ts';
import { Product } from '../support/product.ts';
import { UnreadPipe } from '../support/processes/unread-pipe.ts';

/** Ctrl-C takes less than this, whether or not anybody reads the output. */
const endMaxMs = 5_000;
/** For one request on a busy machine; a request that waits for the log would never end. */
const answerMaxMs = 5_000;
/** They log twice as much as a pipe holds. */
const commands = 400;

interface Reader {
  /** The file descriptor that the product prints to. */
  readonly descriptor: number;
  /** Called once the product has started with it. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

function pipeReader(begin: (pipe: UnreadPipe) => void | Promise<void>): () => Reader {
  return () => {
    const pipe = new UnreadPipe();
    return { descriptor: pipe.writingEnd, begin: async () => begin(pipe), end: () => pipe.breakOff() };
  };
}

function fullDisk(): Reader {
  const descriptor = openSync('/dev/full', 'w');
  return { descriptor, begin: async () => undefined, end: async () => closeSync(descriptor) };
}

const freezeReader = (pipe: UnreadPipe): void => {
  pipe.startReading();
  pipe.freezeReader();
};

type Case = [string, NodeJS.Signals, () => Reader];

const nobody: readonly Case[] = [
  ['nobody reads', 'SIGTERM', pipeReader(() => undefined)],
  ['has a reader that is frozen', 'SIGTERM', pipeReader(freezeReader)],
];
/** Handled within each process in the same way, so one process is enough. */
const alone: readonly Case[] = [
  ['nobody reads', 'SIGINT', pipeReader(() => undefined)],
  ['has a reader that died', 'SIGTERM', pipeReader((it) => it.breakOff())],
  ['goes to a full disk', 'SIGTERM', fullDisk],
];

test.each<Case>(engine === 'embedded' ? [...nobody, ...alone] : nobody)(
  'with a log that %s, it carries out commands, is healthy and stops on %s',
  async (_, signal, reading) => {
    const reader = reading();
    const product = await Product.start({ outputFd: reader.descriptor });
    try {
      await reader.begin();
      expect(await renameRepeatedly(product, commands)).toBeLessThan(answerMaxMs);
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
