// What answers of components may not do to the pages of the console, which come from the same host.
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A page of a component runs its scripts, but as a page of nowhere: without cookies, storage or the API. */
const sandboxed = 'sandbox allow-scripts allow-forms';

/** Fields that say something of the whole host, beyond the answer that they come with. */
const ofHost = [
  'set-cookie',
  'clear-site-data',
  'service-worker-allowed',
  'strict-transport-security',
  'alt-svc',
  'nel',
  'report-to',
] as const;

/** For the scope of the endpoints, where they share a host with the console: a component cannot undo it. */
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
