// `/session`: signs in to the console, shows who is signed in, signs out. Plain Fastify: these routes need no API key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionCommand } from '../../../domain/workspace/api-keys/messages.ts';
import type { Command } from '../commands/commands.ts';
import { hashApiKey } from '../control/api-keys.ts';
import type { ApiKey } from '../control/api-keys.ts';
import type { Parts } from '../parts/parts.ts';
import { checkCsrfToken, withRequestContext, sessionOf } from '../admission/authenticate-caller.ts';
import { unauthorized } from '../http/api-key.guard.ts';
import type { SessionCaller } from '../http/api-key.guard.ts';
import { forbidden, invalidRequest, tooManyRequests, unknownOutcome } from '../http/api-problem.ts';
import type { ApiProblem } from '../http/api-problem.ts';
import { internalProblem, problemOf } from '../http/problem-of.ts';
import { sendProblem } from '../http/send-problem.ts';
import { isObject } from '../../../domain/shape/checks.ts';
import { RateLimits } from '../http/limits/rate-limits.ts';
import type { Session } from '../session/sessions.ts';

/** An API key or a token, and room for a mistake. */
const bodyBytesMax = 4 * 1024;
/** For each address, on average; ten times as many can come at once. */
const attemptsPerSecond = 1;
const secretCharsMax = 256;

interface SessionRecord {
  readonly workspace: string;
  readonly user_id: string;
  readonly api_key_id: string;
  readonly scopes: readonly string[];
  readonly csrf_token: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
}

/** A Fastify plugin. */
export function sessionRoutes(
  parts: Parts<'access' | 'commands' | 'logger' | 'proxies'>,
): (scope: FastifyInstance) => Promise<void> {
  const attempts = new RateLimits();
  return async (scope) => {
    scope.setErrorHandler((error: Error, _request, reply) => answerProblem(parts, error, reply));
    scope.post('/session', { bodyLimit: bodyBytesMax }, async (request, reply) => {
      checkSameOrigin(request);
      if (!attempts.tryTake(parts.proxies.clientOf(request.raw), attemptsPerSecond))
        throw tooManyRequests('Too many sign-ins were tried from this address.');
      const { keyHash, key } = await signIn(parts, request);
      const { session, setCookie } = parts.access.sessions.create(keyHash);
      return reply.header('set-cookie', setCookie).send({ data: sessionRecordOf(parts, session, key) });
    });
    scope.get('/session', async (request, reply) => {
      const { session, key } = await requireSession(parts, request);
      return reply.send({ data: sessionRecordOf(parts, session, key) });
    });
    scope.delete('/session', { bodyLimit: bodyBytesMax }, async (request, reply) => {
      const { session, key } = await requireSession(parts, request);
      checkCsrfToken(parts, session, request);
      await endSession(parts, session, withRequestContext(request, key));
      return reply.code(204).header('set-cookie', parts.access.sessions.cookie.clear()).send();
    });
  };
}

/** Throws ApiProblem 403 for a page of another site, which could sign somebody in under another account. */
function checkSameOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('Sign in from the console itself.');
}

async function signIn(
  parts: Parts<'access'>,
  { query, body }: FastifyRequest,
): Promise<{ keyHash: string; key: ApiKey }> {
  if (Object.keys(query as object).length > 0) throw invalidRequest('Give `api_key` or `token` in the body.');
  const { api_key: apiKey, token, ...rest } = isObject(body) ? body : {};
  const secret = apiKey ?? token;
  const isSingleSecret = (apiKey === undefined) !== (token === undefined) && Object.keys(rest).length === 0;
  if (!isSingleSecret || typeof secret !== 'string' || secret === '' || secret.length > secretCharsMax)
    throw invalidRequest('Give either `api_key` or `token`, as text, in a JSON body.');
  const keyHash = apiKey === undefined ? parts.access.links.redeem(secret) : hashApiKey(secret);
  if (keyHash === undefined) throw unauthorized('The link is used or older than 10 minutes: sign in with an API key.');
  const key = await parts.access.keyOf(keyHash);
  if (typeof key === 'string') throw unauthorized(`The API key is ${key}.`);
  parts.access.keyUses.recordUse(key);
  return { keyHash, key };
}

async function requireSession(parts: Parts<'access'>, request: FastifyRequest): Promise<SessionCaller> {
  const caller = await sessionOf(parts, request);
  if (caller === undefined) throw await notSignedInProblem(parts, request);
  return caller;
}

/** For an unexpired session the refusal tells what became of its key: the console shows this on its sign-in page. */
async function notSignedInProblem(parts: Parts<'access'>, { headers }: FastifyRequest): Promise<ApiProblem> {
  const session = parts.access.sessions.fromCookies(headers.cookie);
  const key = session === undefined ? undefined : await parts.access.keyOf(session.keyHash);
  if (typeof key !== 'string') return unauthorized('Nobody is signed in.');
  const state = key === 'expired' ? 'expired' : 'deleted';
  return unauthorized(`The API key of this session is ${state}: sign in with another one.`, {
    details: { key: state },
  });
}

function sessionRecordOf(parts: Parts<'access'>, session: Session, key: ApiKey): SessionRecord {
  return {
    workspace: key.workspace,
    user_id: key.userId,
    api_key_id: key.keyId,
    scopes: key.scopes,
    csrf_token: parts.access.sessions.csrfToken(session),
    expires_at: Math.min(session.expiresAt, key.expiresAt ?? session.expiresAt),
  };
}

async function endSession(parts: Parts<'commands'>, { id, expiresAt }: Session, key: ApiKey): Promise<void> {
  const command: Command<SessionCommand> = { type: 'EndSession', key: id, data: { sessionId: id, expiresAt } };
  const outcome = await parts.commands.send(key, command, { endings: ['SessionEnded', 'SessionEndRefused'] });
  if (outcome?.type !== 'SessionEnded') throw unknownOutcome();
}

function answerProblem(parts: Parts<'logger'>, error: Error, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  if (problem === undefined) parts.logger.error({ err: error }, 'a request about a session failed');
  return sendProblem(reply, problem ?? internalProblem());
}
