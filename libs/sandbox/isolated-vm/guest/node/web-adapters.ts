// toWeb and fromWeb of Readable, Writable and Duplex: convert Node's streams to web streams and back.
import { ReadableStream, WritableStream } from 'web-streams-polyfill';
import { Duplex, finished, Readable, Writable } from 'readable-stream';
import type { DuplexOptions, ReadableOptions, WritableOptions } from 'node:stream';

type Done = (error?: Error | null) => void;

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Calls back with the outcome of a promise. */
const reportOutcome = (promise: Promise<unknown>, done: Done): void =>
  void promise.then(
    () => done(),
    (reason: unknown) => done(asError(reason)),
  );

interface ReadableMethods {
  readonly read: (this: Readable) => void;
  readonly destroy: (error: Error | null, done: Done) => void;
}

function readableMethodsOf(source: ReadableStream): ReadableMethods {
  const reader = source.getReader();
  return {
    read() {
      reader.read().then(
        ({ done, value }) => void this.push(done ? null : (value as unknown)),
        (reason: unknown) => void this.destroy(asError(reason)),
      );
    },
    // If the source itself has failed, cancel only reports the same error, which is ignored.
    destroy: (error, done) =>
      reader.cancel(error ?? undefined).then(
        () => done(error),
        () => done(error),
      ),
  };
}

interface WritableMethods {
  readonly write: (chunk: unknown, encoding: unknown, done: Done) => void;
  readonly final: (done: Done) => void;
  readonly abort: (error: Error) => Promise<void>;
}

function writableMethodsOf(target: WritableStream): WritableMethods {
  const writer = target.getWriter();
  writer.closed.catch(() => {});
  return {
    write: (chunk, _encoding, done) =>
      reportOutcome(
        writer.ready.then(() => writer.write(chunk)),
        done,
      ),
    final: (done) => reportOutcome(writer.close(), done),
    abort: (error) => writer.abort(error),
  };
}

function readableFromWeb(source: ReadableStream, options: ReadableOptions = {}): Readable {
  const { read, destroy } = readableMethodsOf(source);
  return new Readable({ ...options, read, destroy });
}

function writableFromWeb(target: WritableStream, options: WritableOptions = {}): Writable {
  const { write, final, abort } = writableMethodsOf(target);
  return new Writable({
    ...options,
    write,
    final,
    destroy: (error, done) =>
      error === null
        ? done(null)
        : void abort(error).then(
            () => done(error),
            () => done(error),
          ),
  });
}

interface Pair {
  readonly readable: ReadableStream;
  readonly writable: WritableStream;
}

function duplexFromWeb({ readable, writable }: Pair, options: DuplexOptions = {}): Duplex {
  const { read, destroy } = readableMethodsOf(readable);
  const { write, final, abort } = writableMethodsOf(writable);
  return new Duplex({
    ...options,
    read,
    write,
    final,
    destroy: (error, done) =>
      void (error === null ? Promise.resolve() : abort(error)).then(
        () => destroy(error, done),
        () => destroy(error, done),
      ),
  });
}

/** As in Node, bytes become Uint8Arrays unless the stream is in object mode. */
const toWebChunk = (chunk: unknown, isObject: boolean): unknown =>
  chunk instanceof Uint8Array && !isObject ? new Uint8Array(chunk) : chunk;

function readableToWeb(source: Readable): ReadableStream {
  source.pause();
  let isClosed = false;
  return new ReadableStream(
    {
      start(controller) {
        source.on('data', (chunk: unknown) => {
          if (isClosed) return;
          controller.enqueue(toWebChunk(chunk, source.readableObjectMode));
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        source.pause();
        finished(source, { writable: false }, (error) => {
          if (isClosed) return;
          isClosed = true;
          if (error) controller.error(error);
          else controller.close();
        });
      },
      pull: () => void source.resume(),
      cancel(reason: unknown) {
        isClosed = true;
        source.destroy(reason === undefined ? undefined : asError(reason));
      },
    },
    { highWaterMark: 1 },
  );
}

const writableToWeb = (target: Writable): WritableStream =>
  new WritableStream({
    start(controller) {
      finished(target, { readable: false }, (error) => error && controller.error(error));
    },
    write: (chunk) =>
      new Promise<void>((resolve, reject) => target.write(chunk, (error) => (error ? reject(error) : resolve()))),
    close: () => new Promise<void>((resolve) => target.end(() => resolve())),
    abort: (reason: unknown) => void target.destroy(asError(reason)),
  });

const duplexToWeb = (duplex: Duplex): Pair => ({ readable: readableToWeb(duplex), writable: writableToWeb(duplex) });

/** Adds the functions, which the streams' package lacks. */
export function addWebAdapters(): void {
  Object.assign(Readable, { fromWeb: readableFromWeb, toWeb: readableToWeb });
  Object.assign(Writable, { fromWeb: writableFromWeb, toWeb: writableToWeb });
  Object.assign(Duplex, { fromWeb: duplexFromWeb, toWeb: duplexToWeb });
}
