// Transforms, a subscription's functions that change events before they are sent: their bounds, checks and outcomes.
import { isTextNestedTooDeep } from '../../json.ts';
import { headersProblem } from '../attempt/headers.ts';
import { sizes } from '../../sizes.ts';

/** Where a transform is wrong, in lines and columns of its own text; null: not known. */
export interface TransformError {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** The outcome of a transform for one event; `dropped`: the event is not sent. */
export type TransformOutcome =
  | {
      readonly kind: 'sent';
      /** JSON text; null: the event is sent unchanged. */
      readonly body: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'dropped' }
  | {
      readonly kind: 'failed';
      readonly error: TransformError;
      /** Only if the transform did not finish, for a reason other than this event: try again after this time. */
      readonly againMs?: number;
    };

/** The second argument of a transform, after the event: the same at every attempt. */
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
export const transformTimeoutMs = 50;
/** Memory of a transform, including the event and the result. */
export const transformMemoryMb = 16;

const KiB = 1024;

/** Why this cannot be a transform's text, without parsing it; undefined: it can be. */
export function transformProblem(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'must be the text of a JavaScript function';
  // Control characters take six bytes in a record.
  const isLarge = Buffer.byteLength(text) > sizes.transformBytes;
  if (isLarge || Buffer.byteLength(JSON.stringify(text)) > 2 * sizes.transformBytes)
    return `must be at most ${sizes.transformBytes / KiB} KiB`;
  return text.isWellFormed() ? undefined : 'must be Unicode text, without halves of characters';
}

export const failedTransform = (message: string): TransformOutcome => ({
  kind: 'failed',
  error: { message, line: null, column: null },
});

/** The text without final semicolons: it is evaluated as an expression, between parentheses on separate lines. */
export const expressionOf = (text: string): string => text.replace(/[;\s]+$/, '');

/** Moves an error that the parser reports after the expression to the expression's end. */
export function withinExpression(expression: string, error: TransformError): TransformError {
  const lines = expression.split(/\r\n|[\n\r\u2028\u2029]/);
  if (error.line === null || error.line <= lines.length) return error;
  // The author did not write this parenthesis.
  const message = error.message.replace("Unexpected token ')'", 'Unexpected end of input');
  return { message, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** The outcome if the transform did not finish, and can be tried again after `againMs`. */
export const retryTransform = (message: string, againMs: number): TransformOutcome => ({
  kind: 'failed',
  error: { message, line: null, column: null },
  againMs,
});

/** The outcome for the body and headers that a transform returned, as JSON texts; '': it returned none. */
export function readTransformResult(body: string, headersText: string): TransformOutcome {
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
