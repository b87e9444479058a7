// Writes the process's stdout or stderr so that a slow or missing reader never blocks a thread.
import { constants, openSync, write } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import type { Sink } from './process-output.ts';

const descriptors = { stdout: 1, stderr: 2 } as const;

/**
 * For pipes and sockets it uses Node's streams, which wait with epoll. Node's stream for a terminal blocks while the
 * terminal is stopped (Ctrl-S), so the terminal is reopened. Files and other devices have no reader to wait for.
 */
export function openSink(name: keyof typeof descriptors): Sink {
  const descriptor = descriptors[name];
  if (isatty(descriptor)) return descriptorSink(terminal(descriptor) ?? descriptor);
  const stream = process[name];
  return stream instanceof Socket ? streamSink(stream) : descriptorSink(descriptor);
}

/** Opens the terminal again: O_NONBLOCK on the shared descriptor would affect the shell. Undefined without /proc. */
function terminal(descriptor: number): number | undefined {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return undefined;
  }
}

function streamSink(stream: Writable): Sink {
  // The writer also receives the error, through its callback.
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
