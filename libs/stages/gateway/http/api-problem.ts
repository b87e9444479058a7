// The error for a refusal by the API: a status and `{ error, code, details? }`.
import type { Json } from '../../../domain/json.ts';

export interface ProblemBody {
  readonly error: string;
  readonly code: string;
  readonly details?: Json;
}

export interface ProblemExtras {
  readonly details?: Json;
  /** Sent as headers: `retry-after`, `allow`, `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Json | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extras: ProblemExtras = {}) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
  }

  body(): ProblemBody {
    const { message: error, code, details } = this;
    return details === undefined ? { error, code } : { error, code, details };
  }
}

/**
 * The same for an unknown id and one of another workspace. In `details`, `field` names the parameter, `state` is that
 * of a source that exists but does not accept this request, and `record` names what is missing.
 */
export function notFound(details?: Json): ApiProblem {
  if (details === undefined) return new ApiProblem(404, 'not_found', 'record not found');
  const reason = whyNotFound(details);
  const message = reason === undefined ? 'record not found' : `record not found: ${reason}`;
  return new ApiProblem(404, 'not_found', message, { details });
}

function whyNotFound(details: Json): string | undefined {
  const { field, state, record } = Object(details) as Readonly<Record<string, unknown>>;
  if (typeof field === 'string') return `${field} names no record in this workspace`;
  if (typeof state === 'string') return `the source is ${state}`;
  return typeof record === 'string' ? `there is no such ${record}` : undefined;
}

export const forbidden = (message: string): ApiProblem => new ApiProblem(403, 'forbidden', message);

export const invalidRequest = (message: string, details?: Json): ApiProblem =>
  new ApiProblem(400, 'invalid_request', message, details === undefined ? {} : { details });

const retryAfter = (seconds: number): ProblemExtras => ({ headers: { 'retry-after': String(seconds) } });

export const tooManyRequests = (message: string): ApiProblem =>
  new ApiProblem(429, 'too_many_requests', message, retryAfter(1));

export const unavailable = (message: string): ApiProblem => new ApiProblem(503, 'unavailable', message, retryAfter(1));

/** Nothing of the request was done: it can be sent again. */
export const stoppingProblem = (): ApiProblem => unavailable('The service is stopping.');

const unknownOutcomeMessage =
  'It is not known whether this was carried out. With the same Idempotency-Key it is safe to send it again.';

export const unknownOutcome = (message = unknownOutcomeMessage): ApiProblem =>
  new ApiProblem(503, 'unknown_outcome', message, retryAfter(1));

export const tooLarge = (message: string): ApiProblem => new ApiProblem(413, 'too_large', message);
