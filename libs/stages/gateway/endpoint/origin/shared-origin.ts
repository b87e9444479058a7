// Keeps answers of components from affecting the pages of the console, which come from the same host.
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A component's page may run scripts, but in its own opaque origin: without cookies, storage or the API. */
const sandboxPolicy = 'sandbox allow-scripts allow-forms';

/** Header fields that affect the whole host, and not only the answer that carries them. */
const hostWideHeaders = [
  'set-cookie',
  'clear-site-data',
  'service-worker-allowed',
  'strict-transport-security',
  'alt-svc',
  'nel',
  'report-to',
] as const;

/** Guards the answers of endpoints that share a host with the console. A component cannot disable it. */
export function guardSharedOrigin(scope: FastifyInstance): void {
  scope.addHook('onSend', async (_request, reply) => {
    for (const name of hostWideHeaders) reply.removeHeader(name);
    sandboxReply(reply);
  });
}

/** Browsers apply all policies of an answer, so a component's own policy can only restrict further. */
function sandboxReply(reply: FastifyReply): void {
  const ownPolicies = [reply.getHeader('content-security-policy') ?? []].flat().map(String);
  reply.removeHeader('content-security-policy');
  void reply.header('content-security-policy', [sandboxPolicy, ...ownPolicies].join(', '));
}
