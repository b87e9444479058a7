// Accepts events of an app that are forwarded to a source: POST to its endpoint's path `/apphook`, the event as body,
// its names in the query.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodedBody } from '../../../../primitives/content-coding.ts';
import { apphookPath, acceptsEvent } from '../../../../domain/component/props/apphook/apphook.ts';
import { sizes } from '../../../../domain/sizes.ts';
import type { Endpoint } from '../../control/registry/endpoints.ts';
import { ApiProblem, invalidRequest } from '../../http/api-problem.ts';
import { noEndpoint } from '../endpoint-answer.ts';
import { pathBelow } from '../target.ts';

/** An event can have several names, such as its type and its place; no app needs more. */
const namesMax = 100;

/** A path `/apphook` belongs to the http interface of a source that has no apphook. */
export const isForApphook = (request: FastifyRequest, { apphook }: Endpoint): boolean =>
  apphook !== undefined && pathBelow(request) === apphookPath;

/** Throws ApiProblem if the source accepts no such request, or only another method or fewer names. */
export function checkAccepted(request: FastifyRequest, endpoint: Endpoint): void {
  if (!isForApphook(request, endpoint)) {
    if (endpoint.hasHttpInterface) return;
    throw noEndpoint();
  }
  if (request.method !== 'POST')
    throw new ApiProblem(405, 'method_not_allowed', 'Events of an app are sent by POST.', {
      headers: { allow: 'POST' },
    });
  if (namesOf(request).length > namesMax) throw invalidRequest(`An event has at most ${namesMax} names (event_name).`);
}

/** Throws ApiProblem unless the body is JSON. Its size is an endpoint's: parsing takes no longer than the append. */
export function checkEvent({ body, headers }: FastifyRequest): void {
  if (!Buffer.isBuffer(body) || body.length === 0) return;
  try {
    JSON.parse((decodedBody(headers['content-encoding'], body, sizes.endpointBodyBytes) ?? body).toString('utf8'));
  } catch {
    throw invalidRequest('The body of the request must be the event of the app, as JSON.');
  }
}

/** Whether the component's apphook does not ask for such an event. */
export const isFilteredOut = (request: FastifyRequest, endpoint: Endpoint): boolean =>
  endpoint.apphook !== undefined &&
  isForApphook(request, endpoint) &&
  !acceptsEvent(endpoint.apphook, namesOf(request));

const namesOf = ({ query }: FastifyRequest): readonly string[] =>
  [(query as Readonly<Record<string, string | readonly string[] | undefined>>)['event_name'] ?? []].flat();

export const sendAccepted = (reply: FastifyReply, accepted: boolean): FastifyReply =>
  reply.code(200).header('content-type', 'application/json; charset=utf-8').send({ data: { accepted } });
