// Turns a REST body's bytes into values: checks UTF-8, the bounds of all input, and JSON. Both threads use this code.
import { readJson } from '../json/json-text.ts';
import type { JsonBounds, JsonFault } from '../json/json-scan.ts';

/** Why a body is refused: the contents of an ApiProblem 400, as data that a thread can send. */
export interface BodyRefusal {
  readonly code: 'invalid_json' | 'invalid_request';
  readonly message: string;
  readonly field: string | undefined;
}

export type ParsedBody = { readonly value: unknown } | { readonly refusal: BodyRefusal };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `bounds`: those of the route; absent: the usual ones. */
export function parseBodyText(bytes: Uint8Array, bounds?: JsonBounds): ParsedBody {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refuse('invalid_json', 'The body is not UTF-8.');
  const parsed = readJson(text, undefined, bounds);
  if ('fault' in parsed) return refuseFault(parsed.fault);
  return 'error' in parsed ? refuse('invalid_json', `The body is not JSON: ${parsed.error}.`) : parsed;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const refuseFault = ({ why, field }: JsonFault): ParsedBody =>
  refuse('invalid_request', `The body is refused: ${why}.`, field);

const refuse = (code: BodyRefusal['code'], message: string, field?: string): ParsedBody => ({
  refusal: { code, message, field },
});
