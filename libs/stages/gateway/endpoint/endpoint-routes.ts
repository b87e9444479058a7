// The endpoints' routes: plain Fastify without Nest, because this is the hot path; bodies stay bytes.
import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sizes } from '../../../domain/sizes.ts';
import { pathPrefix } from '../../../domain/source/endpoint/endpoint-url.ts';
import type { Parts } from '../parts/parts.ts';
import type { Admission } from '../admission/admission.ts';
import { internalProblem, problemOf } from '../http/problem-of.ts';
import { sendRefusal } from './endpoint-answer.ts';
import { bodyTooLarge, EndpointDesk } from './endpoint.ts';
import type { EndpointParts } from './endpoint.ts';
import { hideContentType } from './content-type.ts';
import { keepToOwnAnswer } from './origin/shared-origin.ts';

/** A Fastify plugin: its settings apply only to the endpoints. */
export function endpointRoutes(
  parts: EndpointParts & Parts<'logger'>,
  admission: Admission,
): (scope: FastifyInstance) => Promise<void> {
  const desk = new EndpointDesk(parts);
  return async (scope) => {
    if (parts.addresses.endpointUrl === undefined) keepToOwnAnswer(scope);
    takeEveryMethod(scope);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: sizes.endpointBodyBytes },
      (_request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: Buffer) => void) => done(null, body),
    );
    scope.addHook('onRequest', async (request) => {
      hideContentType(request.raw);
      const { workspace, sourceId } = await admission.recognise(request.raw, () => desk.admit(request));
      await admission.admit(request.raw, { workspace, door: sourceId }, sizes.endpointBodyBytes);
    });
    // From here on the desk counts the bytes while they wait for the log.
    scope.addHook('preHandler', async (request) => admission.release(request.raw));
    scope.addHook('onResponse', async (request) => admission.release(request.raw));
    scope.setErrorHandler((error: FastifyError, _request, reply) => answerProblem(parts, error, reply));
    const handler = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      desk.answer(request, reply);
    for (const url of [`${pathPrefix}:endpointKey`, `${pathPrefix}:endpointKey/*`]) {
      scope.all(url, { bodyLimit: sizes.endpointBodyBytes }, handler);
    }
  };
}

/** Accepts every method that Node can read, with a body; CONNECT does not address a path. */
function takeEveryMethod(scope: FastifyInstance): void {
  const further = METHODS.filter((method) => method !== 'CONNECT' && !scope.supportedMethods.includes(method));
  for (const method of further) scope.addHttpMethod(method, { hasBody: true });
}

function answerProblem(parts: Parts<'logger'>, error: FastifyError, reply: FastifyReply): FastifyReply {
  if (error.statusCode === 413) return sendRefusal(reply, bodyTooLarge());
  const problem = problemOf(error);
  if (problem === undefined) parts.logger.error({ err: error }, 'endpoint request failed');
  return sendRefusal(reply, problem ?? internalProblem());
}
