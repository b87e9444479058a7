// Remembers the caller of each request; its guard admits only callers that were recognised before the body was read.
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiKey, Caller } from '../control/api-keys.ts';
import type { Session } from '../session/sessions.ts';
import { ApiProblem } from './api-problem.ts';
import type { ProblemExtras } from './api-problem.ts';

/** A valid key, and how the request has proved it. */
export interface AuthenticatedCaller {
  readonly key: ApiKey;
  readonly keyHash: string;
  /** Undefined: the request holds the key itself. */
  readonly session: Session | undefined;
}

/** A valid session with its key. */
export interface SessionCaller extends AuthenticatedCaller {
  readonly session: Session;
}

const callers = new WeakMap<FastifyRequest, AuthenticatedCaller>();

export const rememberCaller = (request: FastifyRequest, caller: AuthenticatedCaller): void =>
  void callers.set(request, caller);

/** Admits only a caller that a hook has recognised. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!callers.has(context.switchToHttp().getRequest<FastifyRequest>())) throw apiKeyProblem('not checked');
    return true;
  }
}

export const apiKeyProblem = (state: string): ApiProblem =>
  unauthorized(`The API key is ${state}: send the header Authorization: Bearer API_KEY.`);

export const unauthorized = (message: string, extras: Pick<ProblemExtras, 'details'> = {}): ApiProblem =>
  new ApiProblem(401, 'unauthorized', message, { ...extras, headers: { 'www-authenticate': 'Bearer' } });

/** The workspace and user of the request's API key; only for controllers that the guard protects. */
export function callerOf(request: FastifyRequest): Caller {
  return authenticatedCallerOf(request).key;
}

/** The request's API key; only for controllers that the guard protects. */
export const keyOf = (request: FastifyRequest): ApiKey => authenticatedCallerOf(request).key;

export function authenticatedCallerOf(request: FastifyRequest): AuthenticatedCaller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('a controller without ApiKeyGuard asked for the caller');
  return caller;
}

export const CalledBy = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export const CallingKey = createParamDecorator((_data: unknown, context: ExecutionContext): ApiKey =>
  keyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
