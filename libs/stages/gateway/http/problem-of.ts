// Turns anything thrown into the problem to answer with: nothing internal leaks, and bad input is never a 500.
import { HttpException } from '@nestjs/common';
import { PortError } from '../../../domain/port-error.ts';
import { TooManyWaiting } from '../control/waiting/too-many-waiting.ts';
import { UnfilledError } from '../views/filled-views.ts';
import { DamagedError } from '../views/damage-detecting-views.ts';
import { ApiProblem, tooLarge, tooManyRequests, unavailable, unknownOutcome } from './api-problem.ts';

const codesByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

export const noSuchRoute =
  'no such route: GET /openapi.json lists them all, GET /health shows the state of the service';

/** Undefined: a fault of the service itself, to be logged and answered with `internalProblem`. */
export function problemOf(thrown: unknown): ApiProblem | undefined {
  if (thrown instanceof ApiProblem) return thrown;
  if (thrown instanceof TooManyWaiting) return tooManyRequests(thrown.message);
  if (thrown instanceof PortError) return problemOfPortError(thrown);
  if (thrown instanceof HttpException) return problemOfStatus(thrown.getStatus(), thrown.message);
  return problemOfFrameworkError(thrown);
}

export const internalProblem = (): ApiProblem => new ApiProblem(500, 'internal', 'internal error');

function problemOfPortError(error: PortError): ApiProblem | undefined {
  if (error.code === 'too_large') return tooLarge('The request is larger than one record of the log may be.');
  if (error.code === 'unknown_outcome') return unknownOutcome();
  if (error instanceof UnfilledError) return unavailable(`${error.message} Try again a little later.`);
  if (error instanceof DamagedError) return unavailable('The views are damaged: GET /health says what to do.');
  if (error.code === 'unavailable' || error.code === 'closed') return unavailable('The service is not available now.');
  return undefined;
}

function problemOfStatus(status: number, message: string): ApiProblem | undefined {
  const code = codesByStatus[status];
  if (status === 404) return new ApiProblem(404, 'not_found', noSuchRoute);
  return code === undefined && status >= 500 ? undefined : new ApiProblem(status, code ?? 'invalid_request', message);
}

/** Fastify's own errors carry `statusCode` and a code that begins with FST_ERR. */
function problemOfFrameworkError(thrown: unknown): ApiProblem | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown) || typeof thrown.statusCode !== 'number')
    return undefined;
  return thrown.statusCode < 500 ? problemOfStatus(thrown.statusCode, thrown.message) : undefined;
}
