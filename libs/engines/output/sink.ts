// The process's own stdout or stderr, written to so that whoever reads it, or no longer does, stops no thread.
import { constants, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import type { Sink } from './output.ts';

const descriptors = { stdout: 1, stderr: 2 } as const;

/**
 * A pipe and a socket are Node's streams, which wait for their reader by epoll. A terminal's stream blocks while the
 * terminal is stopped (Ctrl-S), so that is opened anew. Files and other devices make nobody wait for a reader.
 */
export function openSink(name: keyof typeof descriptors): Sink {
  const descriptor = descriptors[name];
  if (isatty(descriptor)) return descriptorSink(terminal(descriptor) ?? descriptor);
  const stream = process[name];
  return stream instanceof Socket ? streamSink(stream) : descriptorSink(descriptor);
}

/** With an open file of its own: O_NONBLOCK on a shared one would be felt by the shell. Undefined without a /proc. */
function terminal(descriptor: number): number | undefined {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return undefined;
  }
}

function streamSink(stream: Writable): Sink {
  // Also told to who writes, by the callback.
  stream.on('error', () => undefined);
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)));
      }),
  };
}

const writeTo = promisify(write);

function descriptorSink(descriptor: number): Sink {
  return { write: async (bytes) => (await writeTo(descriptor, bytes)).bytesWritten };
}
