// Admits only valid API keys with the required scope, and sessions of such keys, before any of the body is read.
import type { FastifyRequest } from 'fastify';
import { readTraceparent } from '../../../domain/trace/traceparent.ts';
import type { Scope } from '../../../domain/workspace/api-keys/messages.ts';
import { hasScope, hashApiKey } from '../control/api-keys.ts';
import type { ApiKey, Caller } from '../control/api-keys.ts';
import { apiKeyProblem, authenticatedCallerOf, rememberCaller } from '../http/api-key.guard.ts';
import type { AuthenticatedCaller, SessionCaller } from '../http/api-key.guard.ts';
import { forbidden } from '../http/api-problem.ts';
import type { ApiProblem } from '../http/api-problem.ts';
import { onDisconnect } from '../http/client-disconnect.ts';
import type { Parts } from '../parts/parts.ts';
import type { Session } from '../session/sessions.ts';

/** None of our keys is longer: longer ones are refused without hashing. */
const keyCharsMax = 256;

/** This route and all below it show records as on the log, with fields that the rest of the API leaves out. */
const historyRoute = '/v1/history';

/** The methods that need no more than the scope `read`. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** For a hook before the body is read. Throws ApiProblem 401 or 403, or 503 if the log cannot be read in time. */
export async function authenticateCaller(parts: Parts<'access'>, request: FastifyRequest): Promise<Caller> {
  const { method, headers } = request;
  const sessionCaller = headers.authorization === undefined ? await sessionOf(parts, request) : undefined;
  if (sessionCaller !== undefined && !readMethods.has(method)) checkCsrfToken(parts, sessionCaller.session, request);
  const caller = sessionCaller ?? (await bearerOf(parts, headers.authorization));
  checkScope(caller.key, request);
  parts.access.keyUses.recordUse(caller.key);
  const key = withRequestContext(request, caller.key);
  rememberCaller(request, { ...caller, key });
  return key;
}

/** The key as the caller of this request, with the request's trace and a signal for when its client is gone. */
export function withRequestContext({ headers, raw }: FastifyRequest, key: ApiKey): ApiKey {
  const traceparent = readTraceparent(headers['traceparent']);
  return {
    ...key,
    ...(traceparent === undefined ? {} : { traceparent }),
    onDisconnect: (callback) => onDisconnect(raw, callback),
  };
}

async function bearerOf(parts: Parts<'access'>, authorization: string | undefined): Promise<AuthenticatedCaller> {
  const text = bearerKey(authorization);
  if (text === undefined) throw apiKeyProblem('missing');
  const keyHash = hashApiKey(text);
  const key = await parts.access.keyOf(keyHash);
  if (typeof key === 'string') throw apiKeyProblem(key);
  return { key, keyHash, session: undefined };
}

/** The session in the request's cookie; undefined: there is none, or it has ended, or its key is unusable. */
export async function sessionOf(
  parts: Parts<'access'>,
  { headers }: FastifyRequest,
): Promise<SessionCaller | undefined> {
  const session = parts.access.sessions.fromCookies(headers.cookie);
  if (session === undefined) return undefined;
  const key = await parts.access.keyOf(session.keyHash);
  if (typeof key === 'string' || !parts.access.isSignedIn(key, session)) return undefined;
  return { key, keyHash: session.keyHash, session };
}

/** Throws ApiProblem 403. */
export function checkCsrfToken(parts: Parts<'access'>, session: Session, { headers }: FastifyRequest): void {
  if (parts.access.sessions.isCsrfToken(session, headers['x-csrf-token'])) return;
  throw forbidden('Send the csrf_token of GET /session in the header X-CSRF-Token.');
}

/**
 * For a GET request that also writes: it needs the scope `write`, and in a session the CSRF token. Throws
 * ApiProblem 403.
 */
export function checkCanWrite(parts: Parts<'access'>, request: FastifyRequest): void {
  const { key, session } = authenticatedCallerOf(request);
  if (!hasScope(key, 'write')) throw missingScope('write', request);
  if (session !== undefined) checkCsrfToken(parts, session, request);
}

function checkScope(key: ApiKey, request: FastifyRequest): void {
  const scope = scopeOf(request);
  if (!hasScope(key, scope)) throw missingScope(scope, request);
}

const missingScope = (scope: Scope, { method }: FastifyRequest): ApiProblem =>
  forbidden(`The API key lacks the scope ${scope}, which ${method} needs here: use another one.`);

/** Uses the matched route, not the path that the client has written. */
function scopeOf({ method, routeOptions }: FastifyRequest): Scope {
  if (!readMethods.has(method)) return 'write';
  const { url = '' } = routeOptions;
  return url === historyRoute || url.startsWith(`${historyRoute}/`) ? 'audit' : 'read';
}

function bearerKey(header: string | undefined): string | undefined {
  const key = /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
  return key === undefined || key.length > keyCharsMax ? undefined : key;
}

/** Returns a check whether the request's key, and its session if any, are still valid: otherwise its stream ends. */
export function createAccessCheck(parts: Parts<'access'>, request: FastifyRequest): () => boolean {
  const { keyHash, session } = authenticatedCallerOf(request);
  return () => {
    const key = parts.access.currentKey(keyHash);
    if (typeof key === 'string') return false;
    return session === undefined || parts.access.isSignedIn(key, session);
  };
}
