// Transforms: a subscription's function that makes of an event what is sent, and the bounds of it.
import { isTextNestedTooDeep } from '../../json.ts';
import { headersProblem } from '../attempt/headers.ts';
import { sizes } from '../../sizes.ts';

/** Where a transform is wrong, in lines and columns of its own text; null: not known. */
export interface TransformError {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What a transform has made of one event; `dropped`: it is not to be sent. */
export type Transformed =
  | {
      readonly kind: 'sent';
      /** JSON text; null: the event as it is. */
      readonly body: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dropped' }
  | {
      readonly kind: 'failed';
      readonly error: TransformError;
      /** Only where the transform was not run to an end, through no fault of this event: try again after this time. */
      readonly againMs?: number;
    };

/** What a transform is passed beside the event: the same at every attempt. */
export type TransformMetadata = {
  readonly event_id: string;
  readonly event_name: string;
  readonly emitter_id: string;
  readonly subscription_id: string;
  readonly emitted_at_ms: number;
};

export const transformMetadata = (
  subscriptionId: string,
  { eventId, channel, emitterId }: { readonly eventId: string; readonly channel: string; readonly emitterId: string },
): TransformMetadata => ({
  event_id: eventId,
  event_name: channel,
  emitter_id: emitterId,
  subscription_id: subscriptionId,
  // The first part of an event's id.
  emitted_at_ms: Number.parseInt(eventId, 10),
});

/** Processor time of one call. */
export const transformMs = 50;
/** Memory of a transform with its event and what it makes of it. */
export const transformMemoryMb = 16;

const KiB = 1024;

/** Why this is not the text of a transform, whatever it says; undefined: it may be one. */
export function transformProblem(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'must be the text of a JavaScript function';
  // Control characters take six bytes in a record.
  const isLarge = Buffer.byteLength(text) > sizes.transformBytes;
  if (isLarge || Buffer.byteLength(JSON.stringify(text)) > 2 * sizes.transformBytes)
    return `must be at most ${sizes.transformBytes / KiB} KiB`;
  return text.isWellFormed() ? undefined : 'must be Unicode text, without halves of characters';
}

export const failedTransform = (message: string): Transformed => ({
  kind: 'failed',
  error: { message, line: null, column: null },
});

/** What is evaluated, between parentheses on lines of their own: an expression has no semicolon behind it. */
export const expressionOf = (text: string): string => text.replace(/[;\s]+$/, '');

/** An error that the parser reports only after the expression is shown at the expression's end. */
export function withinExpression(expression: string, error: TransformError): TransformError {
  const lines = expression.split(/\r\n|[\n\r\u2028\u2029]/);
  if (error.line === null || error.line <= lines.length) return error;
  // The parenthesis is not the author's.
  const message = error.message.replace("Unexpected token ')'", 'Unexpected end of input');
  return { message, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** The transform was not run to an end, and may be after `againMs`. */
export const transformLater = (message: string, againMs: number): Transformed => ({
  kind: 'failed',
  error: { message, line: null, column: null },
  againMs,
});

/** The outcome for the body and the headers that a transform has returned, as JSON texts; '': it returned none. */
export function judgeTransform(body: string, headersText: string): Transformed {
  if (Buffer.byteLength(body) > sizes.emitBytes)
    return failedTransform(`body must be at most ${sizes.emitBytes / KiB} KiB as JSON`);
  if (isTextNestedTooDeep(body)) return failedTransform('body is nested too deep');
  const headers = headersText === '' ? {} : (JSON.parse(headersText) as unknown);
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    return failedTransform('headers must be an object of texts');
  const problem = headersProblem(headers as Readonly<Record<string, unknown>>);
  if (problem !== undefined) return failedTransform(`headers ${problem}`);
  return { kind: 'sent', body: body === '' ? null : body, headers: headers as Readonly<Record<string, string>> };
}
