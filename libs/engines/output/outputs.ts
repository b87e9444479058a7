// Keeps both outputs of a process: everything is printed through them, and flushed for a moment when the process ends.
import { ProcessOutput } from './output.ts';
import { asJson, asReadable, formatted, isTerminal } from './readable.ts';
import type { Lines } from './readable.ts';
import { openSink } from './sink.ts';

/** An active reader reads a full buffer in a fraction of this; without a reader the process still ends in time. */
const flushMaxMs = 300;

/** The line that replaces the given number of dropped lines. */
export type Notice = (lines: number) => string;

export interface Outputs {
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  /** Writes to stdout: a logger writes lines of JSON here, and a terminal shows them in readable form. */
  readonly log: Lines;
  /** Call before the process ends; resolves within `flushMaxMs`. */
  flush(): Promise<void>;
}

/** Call once per process. `notice` is for stdout, where readers expect log lines. */
export function openOutputs(notice: Notice = logLine): Outputs {
  const format = isTerminal() ? asReadable(process.stdout.hasColors()) : asJson;
  const stdout = new ProcessOutput(openSink('stdout'), (lines) => format(notice(lines)));
  const stderr = new ProcessOutput(openSink('stderr'), (lines) => `${told(lines)}\n`);
  const flush = async (): Promise<void> => {
    await Promise.all([stdout.flush(flushMaxMs), stderr.flush(flushMaxMs)]);
  };
  return { stdout, stderr, log: formatted(stdout, format), flush };
}

const told = (lines: number): string => `${lines} lines were dropped: nobody read them in time`;

const warn = 40;

/** A line in pino's format. */
const logLine: Notice = (lines) =>
  `${JSON.stringify({ level: warn, time: new Date().toISOString(), pid: process.pid, dropped: lines, msg: told(lines) })}\n`;
