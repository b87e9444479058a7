// What answers of components may not do to the pages of the console, which come from the same host.
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A page of a component may run scripts, but in an origin of its own: without cookies, storage or the API. */
const sandboxed = 'sandbox allow-scripts allow-forms';

/** Header fields that affect the whole host, and not only the answer that carries them. */
const ofHost = [
  'set-cookie',
  'clear-site-data',
  'service-worker-allowed',
  'strict-transport-security',
  'alt-svc',
  'nel',
  'report-to',
] as const;

/** Added to answers of endpoints that share a host with the console. A component cannot remove it. */
export function keepToOwnAnswer(scope: FastifyInstance): void {
  scope.addHook('onSend', async (_request, reply) => {
    for (const name of ofHost) reply.removeHeader(name);
    sandbox(reply);
  });
}

/** Browsers apply every policy that they are given, so a component's own one only adds to this. */
function sandbox(reply: FastifyReply): void {
  const own = [reply.getHeader('content-security-policy') ?? []].flat().map(String);
  reply.removeHeader('content-security-policy');
  void reply.header('content-security-policy', [sandboxed, ...own].join(', '));
}
