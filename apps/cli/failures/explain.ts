// Explains any error to the user: what went wrong, where, and what to do.
import type { ApiError } from '../../../libs/client/index.ts';
import { plainText } from '../output/plain-text.ts';
import { exitCodes, Failure, failureCodes, Interrupted } from './failure.ts';

export interface Explanation {
  readonly message: string;
  /** Each is a line below the message. */
  readonly details: readonly string[];
  readonly hint: string | undefined;
  readonly exitCode: number;
}

/** Details that a refusal can have (docs/api.md, "Answers"). */
interface Details {
  readonly problems?: readonly { readonly field: string; readonly message: string }[];
  readonly name?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
  readonly console?: readonly { readonly level: string; readonly text: string }[];
}

/** Compares the name, because the client's class is loaded only by commands that call the service. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

/** The answer did not come from the service. */
export const isForeignResponse = (error: ApiError): boolean => error.status !== null && error.code === 'unknown';

/** Whether a status that is not of the service is that of a proxy to which the service does not answer. */
export const isProxyWithoutAnswer = ({ status }: { readonly status: number | null }): boolean =>
  status !== null && [502, 503, 504].includes(status);

/** Whether Node does not trust the authority of the certificate. */
export const isUntrustedCertificate = ({ cause }: ApiError): boolean =>
  /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY|GET_ISSUER)/.test((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

export function explain(error: unknown): Explanation {
  if (error instanceof Failure)
    return { message: plainText(error.message), details: [], hint: escapedHint(error.hint), exitCode: error.exitCode };
  if (error instanceof Interrupted)
    return { message: '', details: [], hint: undefined, exitCode: exitCodes.interrupted };
  if (isApiError(error)) return explainRefusal(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message: plainText(message), details: [], hint: undefined, exitCode: exitCodes.failed };
}

/** The error as JSON for programs: if the service refused, with its own code and details. */
export function toErrorJson(error: unknown): object {
  const { message, hint, exitCode } = explain(error);
  const { code, details } = isApiError(error)
    ? error
    : { code: failureCodes[exitCode] ?? 'failed', details: undefined };
  return { error: message, code, details, hint };
}

/** The hint can contain text from a component. */
const escapedHint = (hint: string | undefined): string | undefined =>
  hint === undefined ? undefined : plainText(hint);

function explainRefusal(error: ApiError): Explanation {
  const details = detailsOf(error);
  if (error.status === null) return explainNoAnswer(error);
  const base = { message: plainText(error.message), details };
  if (error.status === 401)
    return {
      ...base,
      message: base.message.replace(apiAdvice, '.'),
      hint: 'Run `pd login`, or set PD_API_KEY.',
      exitCode: exitCodes.unauthorized,
    };
  if (error.status === 404) return { ...base, hint: undefined, exitCode: exitCodes.notFound };
  const retry = error.retryAfterSeconds;
  const hint = retry === undefined ? foreignHint(error) : `Try again in ${retry} s.`;
  return { ...base, hint, exitCode: exitCodes.failed };
}

function foreignHint(error: ApiError): string | undefined {
  if (!isForeignResponse(error)) return undefined;
  if (isProxyWithoutAnswer(error))
    return 'A proxy gets no answer from the service: is it running? A change may have been made all the same.';
  return 'Is it the URL of the service? `pd doctor` shows where it is looked for.';
}

/** A part of the service's message for callers of the API; at a terminal, the hint replaces it. */
const apiAdvice = /: send the header Authorization: Bearer API_KEY\.$/;

function explainNoAnswer(error: ApiError): Explanation {
  const { cause, message, unanswered } = error;
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
  const what = unanswered === undefined ? 'The service did not answer' : 'The service was reached, but did not answer';
  const hint = unansweredHint(error);
  return { message: plainText(`${what}: ${why}`), details: [], hint, exitCode: exitCodes.failed };
}

function unansweredHint(error: ApiError): string {
  if (error.unanswered === 'change') return 'It may have been done all the same: look before you ask for it again.';
  if (error.unanswered === 'read') return 'Try again; `pd doctor` shows how the service is.';
  if (isUntrustedCertificate(error)) return 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.';
  return 'Is it running? `pd doctor` shows where it is looked for.';
}

function detailsOf(error: ApiError): readonly string[] {
  const { problems = [], line, column, console = [] } = (error.details ?? {}) as Details;
  const position = line === undefined ? undefined : `line ${line}${column === undefined ? '' : `, column ${column}`}`;
  const others = problems.map(({ message }) => message).filter((message) => !error.message.includes(message));
  return [
    ...(position === undefined || error.message.includes(position) ? [] : [`at ${position}`]),
    ...others,
    ...console.map(({ level, text }) => `${level}: ${text}`),
  ].map((text) => plainText(text));
}
