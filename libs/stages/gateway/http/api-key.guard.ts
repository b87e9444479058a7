// Admits only known API keys, before a byte of the body is read, and remembers the caller.
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readTraceparent } from '../../../domain/trace/traceparent.ts';
import { hashApiKey } from '../control/api-keys.ts';
import type { Caller } from '../control/api-keys.ts';
import type { Gateway } from '../gateway.ts';
import { ApiProblem } from './api-problem.ts';

interface Recognised {
  readonly caller: Caller;
  readonly keyHash: string;
}

const callers = new WeakMap<FastifyRequest, Recognised>();

/** None of our keys is longer: longer ones are refused without hashing. */
const keyCharsMax = 256;

/** For a hook that runs before the body is read. Throws ApiProblem 401, or 503 when the log cannot tell. */
export async function recogniseCaller(gateway: Gateway, request: FastifyRequest): Promise<Caller> {
  const key = bearerKey(request.headers.authorization);
  if (key === undefined) throw unauthorized('missing');
  const keyHash = hashApiKey(key);
  const known = await gateway.callerOf(keyHash);
  if (known === undefined) throw unauthorized('not known');
  const traceparent = readTraceparent(request.headers['traceparent']);
  const caller = traceparent === undefined ? known : { ...known, traceparent };
  callers.set(request, { caller, keyHash });
  return caller;
}

/** Admits only a caller that a hook has recognised. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!callers.has(context.switchToHttp().getRequest<FastifyRequest>())) throw unauthorized('not checked');
    return true;
  }
}

function bearerKey(header: string | undefined): string | undefined {
  const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
  return key === undefined || key.length > keyCharsMax ? undefined : key;
}

const unauthorized = (found: string): ApiProblem =>
  new ApiProblem(401, 'unauthorized', `The API key is ${found}: send the header Authorization: Bearer API_KEY.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** The workspace and user behind the request's API key; only in controllers that the guard protects. */
export function callerOf(request: FastifyRequest): Caller {
  return recognised(request).caller;
}

/** The hash of the request's API key, for streams, which last only as long as their key. */
export const keyHashOf = (request: FastifyRequest): string => recognised(request).keyHash;

function recognised(request: FastifyRequest): Recognised {
  const found = callers.get(request);
  if (found === undefined) throw new Error('a controller without ApiKeyGuard asked for the caller');
  return found;
}

export const CalledBy = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
