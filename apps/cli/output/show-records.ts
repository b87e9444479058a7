// Formats events and runs.
import type { EventSummary, Run } from '../../../libs/client/index.ts';
import { plainJson, plainLine, plainText } from './plain-text.ts';
import { paintState } from './show-source.ts';
import type { Style } from './style.ts';
import { formatDuration, formatLocalTime } from './times.ts';

export function showEvent({ id, indexed_at_ms, event, metadata }: EventSummary, style: Style): string {
  const { name, summary } = metadata;
  const head = [
    style.faint(formatLocalTime(indexed_at_ms)),
    style.name(plainLine(id)),
    ...(name === '' ? [] : [plainLine(name)]),
    ...(summary === undefined ? [] : [style.strong(plainLine(summary))]),
  ];
  return `${head.join('  ')}\n${plainJson(event, 2)}`;
}

export function showRun(run: Run, style: Style): string {
  const { started_at_ms, outcome, kind, duration_ms, emitted, id, console: lines, error } = run;
  const events = emitted.length === 1 ? '1 event' : `${emitted.length} events`;
  const head = [
    style.faint(formatLocalTime(started_at_ms)),
    paintState(outcome, style),
    plainLine(kind),
    formatDuration(duration_ms),
    events,
    style.faint(plainLine(id)),
  ];
  const printed = lines.map(({ level, text }) => indented(paintLevel(level, plainText(text), style)));
  return [head.join('  '), ...printed, ...(error === null ? [] : [showError(error, style)])].join('\n');
}

function showError({ name, message, stack, line, column }: NonNullable<Run['error']>, style: Style): string {
  const at = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  const frames = stack?.split('\n').filter((frame) => /^\s+at /.test(frame)) ?? [];
  const errorLine = style.bad(plainText(`${name}: ${message}`)) + at;
  return [errorLine, ...frames.map((frame) => style.faint(plainLine(frame)))].map(indented).join('\n');
}

const paintLevel = (level: string, text: string, style: Style): string => {
  if (level === 'error') return style.bad(text);
  return level === 'warn' ? style.warning(text) : text;
};

const indented = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;
