// Admits only API keys that stand and have the scope, before a byte of the body is read, and remembers the caller.
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../../domain/workspace/api-keys/messages.ts';
import { allows, hashApiKey } from '../control/api-keys.ts';
import type { ApiKey, Caller } from '../control/api-keys.ts';
import type { Gateway } from '../gateway.ts';
import { ApiProblem, forbidden } from './api-problem.ts';

interface Recognised {
  readonly key: ApiKey;
  readonly keyHash: string;
}

const callers = new WeakMap<FastifyRequest, Recognised>();

/** None of our keys is longer: longer ones are refused without hashing. */
const keyCharsMax = 256;

/** What may only be read. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** For a hook that runs before the body is read. Throws ApiProblem 401 or 403, or 503 when the log cannot tell. */
export async function recogniseCaller(gateway: Gateway, request: FastifyRequest): Promise<Caller> {
  const key = bearerKey(request.headers.authorization);
  if (key === undefined) throw unauthorized('missing');
  const keyHash = hashApiKey(key);
  const found = await gateway.keyOf(keyHash);
  if (typeof found === 'string') throw unauthorized(found);
  checkScope(found, request.method);
  gateway.keyUses.note(found);
  callers.set(request, { key: found, keyHash });
  return found;
}

function checkScope(key: ApiKey, method: string): void {
  const scope: Scope = reading.has(method) ? 'read' : 'write';
  if (allows(key, scope)) return;
  throw forbidden(`The API key lacks the scope ${scope}, which ${method} needs: use another one.`);
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
  return recognised(request).key;
}

/** The request's API key, as `callerOf`. */
export const keyOf = (request: FastifyRequest): ApiKey => recognised(request).key;

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

export const CallingKey = createParamDecorator((_data: unknown, context: ExecutionContext): ApiKey =>
  keyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
