// The endpoints' routes: plain Fastify without Nest, because this is the hot path; bodies stay bytes.
import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDecodedTooLarge } from '../../../primitives/content-coding.ts';
import { sizes } from '../../../domain/sizes.ts';
import { pathPrefix } from '../../../domain/source/endpoint/endpoint-url.ts';
import type { Parts } from '../parts/parts.ts';
import type { Admission } from '../admission/admission.ts';
import { internalProblem, problemOf } from '../http/problem-of.ts';
import { sendRefusal } from './endpoint-answer.ts';
import { bodyTooLarge, decodedTooLarge, EndpointHandler } from './endpoint-handler.ts';
import type { EndpointParts } from './endpoint-handler.ts';
import { hideContentType } from './content-type.ts';
import { guardSharedOrigin } from './origin/shared-origin.ts';

/** A Fastify plugin: its settings apply only to the endpoints. */
export function endpointRoutes(
  parts: EndpointParts & Parts<'logger'>,
  admission: Admission,
): (scope: FastifyInstance) => Promise<void> {
  const endpointHandler = new EndpointHandler(parts);
  return async (scope) => {
    if (parts.addresses.endpointUrl === undefined) guardSharedOrigin(scope);
    acceptEveryMethod(scope);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: sizes.endpointBodyBytes },
      async (request: FastifyRequest, body: Buffer) => {
        if (await isDecodedTooLarge(request.headers['content-encoding'], body, sizes.endpointBodyBytes))
          throw decodedTooLarge();
        return body;
      },
    );
    scope.addHook('onRequest', async (request) => {
      hideContentType(request.raw);
      const { workspace, sourceId } = await admission.identifySender(request.raw, () => endpointHandler.admit(request));
      await admission.admit(request.raw, { workspace, trafficClass: sourceId }, sizes.endpointBodyBytes);
    });
    // From here on the handler counts the bytes while they wait for the log.
    scope.addHook('preHandler', async (request) => admission.release(request.raw));
    scope.addHook('onResponse', async (request) => admission.release(request.raw));
    scope.setErrorHandler((error: FastifyError, _request, reply) => answerProblem(parts, error, reply));
    const handler = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      endpointHandler.answer(request, reply);
    for (const url of [`${pathPrefix}:endpointKey`, `${pathPrefix}:endpointKey/*`]) {
      scope.all(url, { bodyLimit: sizes.endpointBodyBytes }, handler);
    }
  };
}

/** Accepts every method that Node can read, with a body; CONNECT does not address a path. */
function acceptEveryMethod(scope: FastifyInstance): void {
  const moreMethods = METHODS.filter((method) => method !== 'CONNECT' && !scope.supportedMethods.includes(method));
  for (const method of moreMethods) scope.addHttpMethod(method, { hasBody: true });
}

function answerProblem(parts: Parts<'logger'>, error: FastifyError, reply: FastifyReply): FastifyReply {
  if (error.statusCode === 413) return sendRefusal(reply, bodyTooLarge());
  const problem = problemOf(error);
  if (problem === undefined) parts.logger.error({ err: error }, 'endpoint request failed');
  return sendRefusal(reply, problem ?? internalProblem());
}
