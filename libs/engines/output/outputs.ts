// Keeps both outputs of a process: everything is printed through them, and flushed for a moment when the process ends.
import { ProcessOutput } from './process-output.ts';
import { asJson, asReadable, formatLines, isTerminal } from './line-format.ts';
import type { LineWriter } from './line-format.ts';
import { openSink } from './sink.ts';

/** An active reader reads a full buffer in a fraction of this; without a reader the process still ends in time. */
const flushMaxMs = 300;

/** The line that replaces the given number of dropped lines. */
export type FormatNotice = (lines: number) => string;

export interface Outputs {
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  /** Writes to stdout: a logger writes lines of JSON here, and a terminal shows them in readable form. */
  readonly log: LineWriter;
  /** Call before the process ends; resolves within `flushMaxMs`. */
  flush(): Promise<void>;
}

/** Call once per process. `formatNotice` is for stdout, where readers expect log lines. */
export function openOutputs(formatNotice: FormatNotice = droppedLogLine): Outputs {
  const format = isTerminal() ? asReadable(process.stdout.hasColors()) : asJson;
  const stdout = new ProcessOutput(openSink('stdout'), (lines) => format(formatNotice(lines)));
  const stderr = new ProcessOutput(openSink('stderr'), (lines) => `${droppedMessage(lines)}\n`);
  const flush = async (): Promise<void> => {
    await Promise.all([stdout.flush(flushMaxMs), stderr.flush(flushMaxMs)]);
  };
  return { stdout, stderr, log: formatLines(stdout, format), flush };
}

const droppedMessage = (lines: number): string => `${lines} lines were dropped: nobody read them in time`;

const warn = 40;

/** A line in pino's format. */
const droppedLogLine: FormatNotice = (lines) =>
  `${JSON.stringify({ level: warn, time: new Date().toISOString(), pid: process.pid, dropped: lines, msg: droppedMessage(lines) })}\n`;
