// Any error as what a person reads: what went wrong, where, and what to do.
import type { ApiError } from '../../../libs/client/index.ts';
import { plainText } from '../output/plain-text.ts';
import { exitCodes, Failure, failureCodes, Interrupted } from './failure.ts';

export interface Explanation {
  readonly message: string;
  /** Each a line below the message. */
  readonly details: readonly string[];
  readonly hint: string | undefined;
  readonly exitCode: number;
}

/** What a refusal may carry (docs/api.md, "Answers"). */
interface Details {
  readonly problems?: readonly { readonly field: string; readonly message: string }[];
  readonly name?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
  readonly console?: readonly { readonly level: string; readonly text: string }[];
}

/** By its name: the client is loaded by those commands alone that call the service. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError';

export function explain(error: unknown): Explanation {
  if (error instanceof Failure)
    return { message: plainText(error.message), details: [], hint: plainHint(error.hint), exitCode: error.exitCode };
  if (error instanceof Interrupted)
    return { message: '', details: [], hint: undefined, exitCode: exitCodes.interrupted };
  if (isApiError(error)) return explainRefusal(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message: plainText(message), details: [], hint: undefined, exitCode: exitCodes.failed };
}

/** What a program reads of it: the API's own code and details where it refused. */
export function explainedForPrograms(error: unknown): object {
  const { message, hint, exitCode } = explain(error);
  const { code, details } = isApiError(error)
    ? error
    : { code: failureCodes[exitCode] ?? 'failed', details: undefined };
  return { error: message, code, details, hint };
}

/** It may name what a component says of itself. */
const plainHint = (hint: string | undefined): string | undefined => (hint === undefined ? undefined : plainText(hint));

function explainRefusal(error: ApiError): Explanation {
  const details = detailsOf(error);
  if (error.status === null) return noAnswer(error);
  const at = { message: plainText(error.message), details };
  if (error.status === 401)
    return {
      ...at,
      message: at.message.replace(forProgrammers, '.'),
      hint: 'Run `pd login`, or set PD_API_KEY.',
      exitCode: exitCodes.unauthorized,
    };
  if (error.status === 404) return { ...at, hint: undefined, exitCode: exitCodes.notFound };
  const retry = error.retryAfterSeconds;
  const hint = retry === undefined ? undefined : `Try again in ${retry} s.`;
  return { ...at, hint, exitCode: exitCodes.failed };
}

/** What the service says to those who call the API themselves: the hint says it for those at a terminal. */
const forProgrammers = /: send the header Authorization: Bearer API_KEY\.$/;

function noAnswer({ cause, message }: ApiError): Explanation {
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
  const hint = 'Is it running? `pd doctor` shows where it is looked for.';
  return { message: plainText(`The service did not answer: ${why}`), details: [], hint, exitCode: exitCodes.failed };
}

function detailsOf(error: ApiError): readonly string[] {
  const { problems = [], line, column, console = [] } = (error.details ?? {}) as Details;
  const place = line === undefined ? undefined : `line ${line}${column === undefined ? '' : `, column ${column}`}`;
  const others = problems.map(({ message }) => message).filter((message) => !error.message.includes(message));
  return [
    ...(place === undefined || error.message.includes(place) ? [] : [`at ${place}`]),
    ...others,
    ...console.map(({ level, text }) => `${level}: ${text}`),
  ].map((text) => plainText(text));
}
