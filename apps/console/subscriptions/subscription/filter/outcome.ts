// The outcome of trying a filter and a transform on one event.
import { problemOf } from '../../../api/problem.ts';
import type { Preview } from '../../../api/records.ts';

export interface Outcome {
  readonly word: 'sent' | 'left out' | 'fails' | 'not known';
  readonly reason: string | undefined;
  /** The body; undefined: nothing is sent, or the outcome is not known. */
  readonly sent: unknown;
  readonly headers: readonly string[];
}

interface Answer {
  readonly data?: Preview | undefined;
  readonly error?: unknown;
}

/** `all`: neither a filter nor a transform was tried. */
export function outcomeOf(event: unknown, tried: Answer | 'all'): Outcome {
  const nothing = { sent: undefined, headers: [] };
  if (tried === 'all') return { word: 'sent', reason: undefined, sent: event, headers: [] };
  const { data, error } = tried;
  if (error !== null && error !== undefined) return { ...nothing, word: 'not known', reason: problemOf(error).message };
  if (data === undefined) return { ...nothing, word: 'not known', reason: undefined };
  if (data.error !== null) return { ...nothing, word: 'fails', reason: messageOf(data.error) };
  if (!data.matches) return { ...nothing, word: 'left out', reason: data.reason ?? undefined };
  const { body, headers } = data.transformed ?? { body: event, headers: {} };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { word: 'sent', reason: undefined, sent: body, headers: lines };
}

function messageOf({ message, line, column }: NonNullable<Preview['error']>): string {
  return line === null ? message : `${message} (line ${line}, column ${column ?? 1})`;
}
