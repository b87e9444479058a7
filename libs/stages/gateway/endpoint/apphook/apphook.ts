// Events of an app that somebody passes on to a source: POST to its endpoint's path `/apphook`, the event as the body,
// its names in the query.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { apphookPath, takesEvent } from '../../../../domain/component/props/apphook/apphook.ts';
import type { Endpoint } from '../../control/registry/endpoints.ts';
import { ApiProblem, invalidRequest } from '../../http/api-problem.ts';
import { noEndpoint } from '../endpoint-answer.ts';
import { pathBelow } from '../target.ts';

/** An event may have several names, such as its type and its place; no app needs more. */
const namesMax = 100;

/** A path `/apphook` belongs to the http interface of a source that has no apphook. */
export const isForApphook = (request: FastifyRequest, { apphook }: Endpoint): boolean =>
  apphook !== undefined && pathBelow(request) === apphookPath;

/** Throws ApiProblem where the source takes nothing, or takes it in another way. */
export function checkDoor(request: FastifyRequest, endpoint: Endpoint): void {
  if (!isForApphook(request, endpoint)) {
    if (endpoint.takesRequests) return;
    throw noEndpoint();
  }
  if (request.method !== 'POST')
    throw new ApiProblem(405, 'method_not_allowed', 'Events of an app are sent by POST.', {
      headers: { allow: 'POST' },
    });
  if (namesOf(request).length > namesMax) throw invalidRequest(`An event has at most ${namesMax} names (event_name).`);
}

/** Its size is an endpoint's: reading it here takes no longer than to write it to the log. Throws ApiProblem. */
export function checkEvent({ body }: FastifyRequest): void {
  try {
    if (Buffer.isBuffer(body) && body.length > 0) JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest('The body of the request must be the event of the app, as JSON.');
  }
}

/** Whether the component has not asked for such an event. */
export const isLeftOut = (request: FastifyRequest, endpoint: Endpoint): boolean =>
  endpoint.apphook !== undefined && isForApphook(request, endpoint) && !takesEvent(endpoint.apphook, namesOf(request));

const namesOf = ({ query }: FastifyRequest): readonly string[] =>
  [(query as Readonly<Record<string, string | readonly string[] | undefined>>)['event_name'] ?? []].flat();

export const sendTaken = (reply: FastifyReply, accepted: boolean): FastifyReply =>
  reply.code(200).header('content-type', 'application/json; charset=utf-8').send({ data: { accepted } });
