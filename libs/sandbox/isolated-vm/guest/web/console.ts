// console: each call prints one line of the current run's log, formatted as in Node.
import { format, inspect } from 'node-inspect-extracted';
import { currentCall, writeLine } from '../core/calls.ts';
import type { Level } from '../core/calls.ts';
import { describeError } from '../core/describe-error.ts';
import { table } from './table.ts';

/** The indent that `group` adds. */
const groupIndent = '  ';
const groupsMax = 20;
/** Labels of `count` and `time` that are kept. */
const labelsMax = 1_000;

const counts = new Map<string, number>();
const starts = new Map<string, number>();

function formatArgs(args: readonly unknown[]): string {
  try {
    return format(...args);
  } catch (error) {
    return `A value that cannot be shown: ${describeError(error).message}`;
  }
}

function write(level: Level, args: readonly unknown[]): void {
  const indent = currentCall()?.consoleIndent ?? '';
  const line = formatArgs(args);
  const indented = indent ? indent + line.replaceAll('\n', `\n${indent}`) : line;
  writeLine(level, indented);
}

const storeLabel = <V>(map: Map<string, V>, label: string, value: V): void => {
  if (map.size < labelsMax || map.has(label)) map.set(label, value);
};

/** The value drawn as a table; a value that cannot be is returned unchanged. */
function drawTable(value: unknown, columns: unknown): unknown {
  try {
    return table(value, columns) ?? value;
  } catch {
    return value;
  }
}

function traceText(message: string): string {
  const trace = Object.assign(new Error(message), { name: message === '' ? 'Trace' : 'Trace:' });
  const { stack } = describeError(trace);
  const frames = stack.indexOf('\n    at ');
  return `${trace.name}${message === '' ? '' : ` ${message}`}${frames === -1 ? '' : stack.slice(frames)}`;
}

const elapsed = (label: string): string => `${label}: ${Date.now() - (starts.get(label) ?? Date.now())}ms`;

export const console = {
  log: (...args: unknown[]) => write('log', args),
  info: (...args: unknown[]) => write('info', args),
  debug: (...args: unknown[]) => write('debug', args),
  warn: (...args: unknown[]) => write('warn', args),
  error: (...args: unknown[]) => write('error', args),
  trace: (...args: unknown[]) => write('error', [traceText(formatArgs(args))]),
  dir: (value: unknown, options?: object) => write('log', [inspect(value, { customInspect: false, ...options })]),
  dirxml: (...args: unknown[]) => write('log', args),
  table: (value: unknown, columns?: unknown) => write('log', [drawTable(value, columns)]),
  assert: (condition: unknown, ...args: unknown[]) => {
    if (!condition) write('error', args.length > 0 ? [`Assertion failed: ${formatArgs(args)}`] : ['Assertion failed']);
  },
  count: (label: unknown = 'default') => {
    const name = String(label);
    storeLabel(counts, name, (counts.get(name) ?? 0) + 1);
    write('log', [`${name}: ${counts.get(name) ?? 1}`]);
  },
  countReset: (label: unknown = 'default') => void counts.delete(String(label)),
  time: (label: unknown = 'default') => storeLabel(starts, String(label), Date.now()),
  timeLog: (label: unknown = 'default', ...args: unknown[]) => write('log', [elapsed(String(label)), ...args]),
  timeEnd: (label: unknown = 'default') => {
    write('log', [elapsed(String(label))]);
    starts.delete(String(label));
  },
  group: (...args: unknown[]) => {
    if (args.length > 0) write('log', args);
    const call = currentCall();
    if (call && call.consoleIndent.length < groupsMax * groupIndent.length) call.consoleIndent += groupIndent;
  },
  groupCollapsed: (...args: unknown[]) => console.group(...args),
  groupEnd: () => {
    const call = currentCall();
    if (call) call.consoleIndent = call.consoleIndent.slice(groupIndent.length);
  },
  clear: () => {},
} as const;
