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

interface PreviewResult {
  readonly data?: Preview | undefined;
  readonly error?: unknown;
}

/** `all`: neither a filter nor a transform was tried. */
export function outcomeOf(event: unknown, result: PreviewResult | 'all'): Outcome {
  const nothingSent = { sent: undefined, headers: [] };
  if (result === 'all') return { word: 'sent', reason: undefined, sent: event, headers: [] };
  const { data, error } = result;
  if (error !== null && error !== undefined)
    return { ...nothingSent, word: 'not known', reason: problemOf(error).message };
  if (data === undefined) return { ...nothingSent, word: 'not known', reason: undefined };
  if (data.error !== null) return { ...nothingSent, word: 'fails', reason: messageOf(data.error) };
  if (!data.matches) return { ...nothingSent, word: 'left out', reason: data.reason ?? undefined };
  const { body, headers } = data.transformed ?? { body: event, headers: {} };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { word: 'sent', reason: undefined, sent: body, headers: lines };
}

function messageOf({ message, line, column }: NonNullable<Preview['error']>): string {
  return line === null ? message : `${message} (line ${line}, column ${column ?? 1})`;
}
