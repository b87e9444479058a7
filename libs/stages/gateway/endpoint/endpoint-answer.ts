// Answers an endpoint's client: with the default answer, the component's own, or the reason why there is none.
import type { FastifyReply } from 'fastify';
import { ApiProblem } from '../http/api-problem.ts';
import { answerHeaders } from '../http/answer-headers.ts';
import { sendProblem } from '../http/send-problem.ts';
import type { HttpAnswer, WaitResult } from '../control/waiting/reply-router.ts';

/** Pages of any origin may call an endpoint; a component's own header takes precedence. */
const anyOrigin = { 'access-control-allow-origin': '*' } as const;

/** docs/reference/component-api.md, "Endpoints". */
const preflightMethods = 'GET,HEAD,PUT,PATCH,POST,DELETE';

/** Without `retry-after`: a request that is sent again would run twice. */
const unansweredMessages = {
  untaken: 'No runtime has taken the request in time. It was accepted, and is run once a runtime takes it.',
  closed: 'The service is stopping; the request was accepted.',
  log_away: 'The log does not answer now; the request was accepted.',
} as const;

const successPage =
  '<!doctype html><html><head><title>Success</title></head><body><p>Success!</p><p>The request was accepted.</p></body></html>';

/** Headers about the connection, which only the gateway controls. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const bodylessStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

export function sendSuccess(reply: FastifyReply): FastifyReply {
  return reply.code(200).headers(anyOrigin).header('content-type', 'text/html; charset=utf-8').send(successPage);
}

export function sendPreflight(reply: FastifyReply, requestedHeaders: string | undefined): FastifyReply {
  return reply
    .code(204)
    .headers(anyOrigin)
    .header('access-control-allow-methods', preflightMethods)
    .header('access-control-allow-headers', requestedHeaders ?? '*')
    .header('access-control-max-age', '600')
    .send();
}

export const noEndpoint = (): ApiProblem =>
  new ApiProblem(404, 'not_found', 'record not found: no active source has this endpoint', {
    details: { record: 'endpoint' },
  });

export const sendRefusal = (reply: FastifyReply, problem: ApiProblem): FastifyReply =>
  sendProblem(reply, problem, anyOrigin);

/** `log_away`: the log, which would bring the answer, was lost meanwhile. */
export function sendWaitResult(reply: FastifyReply, result: WaitResult | 'log_away'): FastifyReply {
  if (typeof result === 'object' && 'form' in result) return sendSuccess(reply);
  if (typeof result === 'object') return sendAnswer(reply, result);
  if (result === 'succeeded') return sendSuccess(reply);
  return sendRefusal(reply, unansweredProblem(result));
}

function unansweredProblem(result: 'failed' | 'gone' | 'untaken' | 'timed_out' | 'closed' | 'log_away'): ApiProblem {
  if (result === 'failed') return new ApiProblem(500, 'run_failed', 'The source failed before it responded.');
  if (result === 'gone') return noEndpoint();
  if (result === 'timed_out')
    return new ApiProblem(504, 'no_response', 'The source did not respond in time; the request was accepted.');
  return new ApiProblem(503, 'unknown_outcome', unansweredMessages[result]);
}

/** Leaves out what HTTP cannot carry: no component can break the connection. The component sets caching and type. */
function sendAnswer(reply: FastifyReply, answer: HttpAnswer): FastifyReply {
  reply.code(finalStatus(answer.status)).headers(anyOrigin);
  for (const name of Object.keys(answerHeaders)) reply.removeHeader(name);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (headerName.test(name) && !connectionHeaders.has(name.toLowerCase())) setHeader(reply, name, value);
  }
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'text/plain; charset=utf-8');
  return reply.send(bodylessStatuses.has(reply.statusCode) ? null : Buffer.from(answer.bodyBase64, 'base64'));
}

function setHeader(reply: FastifyReply, name: string, value: string | readonly string[]): void {
  const values = [value].flat().filter((text) => headerValue.test(text));
  if (values.length > 0) reply.header(name, values.length === 1 ? values[0] : values);
}

/** A 1xx status cannot end an exchange (RFC 9110 15.2). */
const finalStatus = (status: number): number => (status >= 200 && status <= 599 ? status : 200);
