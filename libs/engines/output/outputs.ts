// Both outputs of a process: all that it prints goes through here, and what is left at its end is given a moment.
import { Output } from './output.ts';
import { asJson, asReadable, formatted, isTerminal } from './readable.ts';
import type { Lines } from './readable.ts';
import { openSink } from './sink.ts';

/** A reader that is there takes a full buffer in a fraction of this; one that is not keeps no process from ending. */
const flushMaxMs = 300;

/** The line that stands in the place of so many that nobody took. */
export type Notice = (lines: number) => string;

export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
  /** To stdout: where a logger writes its lines of JSON, which a terminal shows as readable ones. */
  readonly log: Lines;
  /** Before the process ends: resolves within `flushMaxMs`. */
  flush(): Promise<void>;
}

/** To be opened once in a process. `notice` is for stdout, where lines of the log are expected. */
export function openOutputs(notice: Notice = logLine): Outputs {
  const format = isTerminal() ? asReadable(process.stdout.hasColors()) : asJson;
  const stdout = new Output(openSink('stdout'), (lines) => format(notice(lines)));
  const stderr = new Output(openSink('stderr'), (lines) => `${told(lines)}\n`);
  const flush = async (): Promise<void> => {
    await Promise.all([stdout.flush(flushMaxMs), stderr.flush(flushMaxMs)]);
  };
  return { stdout, stderr, log: formatted(stdout, format), flush };
}

const told = (lines: number): string => `${lines} lines were dropped: nobody read them in time`;

const warn = 40;

/** As pino writes it. */
const logLine: Notice = (lines) =>
  `${JSON.stringify({ level: warn, time: new Date().toISOString(), pid: process.pid, dropped: lines, msg: told(lines) })}\n`;
