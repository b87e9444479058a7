// The failure of a request, in words that a page can show.

/** `code` is `no_answer` if the service was not reached, or did not answer in time. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number | undefined;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { status, code, details }: Partial<Pick<Problem, 'status' | 'code' | 'details'>>) {
    super(message);
    this.status = status;
    this.code = code ?? 'unknown';
    this.details = details ?? {};
  }

  /** One message for each field that the service refused. */
  get fields(): Readonly<Record<string, string>> {
    const { problems } = this.details;
    if (!Array.isArray(problems)) return {};
    const fieldProblems = problems as readonly { readonly field?: unknown; readonly message?: unknown }[];
    return Object.fromEntries(fieldProblems.map(({ field, message }) => [String(field), String(message)]));
  }
}

export const problemOf = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(error instanceof Error ? error.message : String(error), {});

/** Accepts any body, also that of a proxy. */
export function problemFromResponse(status: number, body: unknown): Problem {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const details = typeof fields['details'] === 'object' && fields['details'] !== null ? fields['details'] : {};
  const message = typeof fields['error'] === 'string' ? fields['error'] : `The service answered with status ${status}.`;
  const code = typeof fields['code'] === 'string' ? fields['code'] : 'unknown';
  return new Problem(message, { status, code, details: details as Readonly<Record<string, unknown>> });
}
