// The error of a call that the API rejected or did not answer.

export interface ApiErrorFields {
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** A code listed in docs/api.md; `no_answer` when there was no answer. */
  readonly code: string;
  readonly details?: unknown;
  /** When a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** The request was sent and not answered: a change might have been made nevertheless. Absent: it was not sent. */
  readonly unanswered?: 'read' | 'change';
}

export class ApiError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly unanswered: 'read' | 'change' | undefined;

  constructor(message: string, fields: ApiErrorFields, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.unanswered = fields.unanswered;
  }
}
