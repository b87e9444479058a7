// What the API refused, or that it did not answer.

export interface ApiErrorFields {
  /** HTTP status; null: no answer came. */
  readonly status: number | null;
  /** As docs/api.md lists them; `no_answer` when none came. */
  readonly code: string;
  readonly details?: unknown;
  /** When it makes sense to try again. */
  readonly retryAfterSeconds?: number;
}

export class ApiError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, fields: ApiErrorFields, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}
