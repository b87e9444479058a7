// Sets up the HTTP server for the gateway: adapter settings, bodies, errors, endpoints, the OpenAPI document.
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sizes } from '../../domain/sizes.ts';
import { EndpointHosts } from '../../domain/source/endpoint/endpoint-hosts.ts';
import type { EndpointSettings } from '../../domain/source/endpoint/endpoint-url.ts';
import { Admission } from './admission/admission.ts';
import { ConsolePages } from './console/console-pages.ts';
import { endpointRoutes } from './endpoint/endpoint-routes.ts';
import { targetRouter } from './endpoint/target.ts';
import { openApiDocument } from './openapi/document.ts';
import { bodyParser } from './http/bodies/body-parser.ts';
import { LargeBodyParser } from './http/bodies/large-body-parser.ts';
import { ListAnswers } from './http/lists/list-answers.ts';
import { serialiseListsInTurns } from './http/lists/list-bytes.ts';
import { ProblemFilter } from './server/problem.filter.ts';
import { guardApiRoutes } from './server/api-routes.ts';
import { endStalledAnswers } from './server/answers/stalled-answers.ts';
import { answerUnrouted, guardConnections } from './server/connections.ts';
import { separateHosts } from './server/host-routes.ts';
import { answerFrameworkError } from './server/framework-error.ts';
import { RouteTable } from './server/route-table.ts';
import { GatewayParts } from './parts/parts.ts';
import { sessionRoutes } from './server/session-routes.ts';
import { registerWaitingMetrics } from './measuring/waiting-metrics.ts';
import { StageSettings } from '../loop/settings.ts';

/** A request's head and body must arrive within this time; an answer can take as long as its client reads on. */
const requestMs = 60_000;
/** Longer than an id and any channel name. */
const paramCharsMax = 200;

/** The options that `FastifyAdapter` must be created with. */
export const gatewayServerOptions = (settings: EndpointSettings) => ({
  bodyLimit: sizes.smallBodyBytes,
  requestTimeout: requestMs,
  http: { requireHostHeader: false },
  rewriteUrl: targetRouter(new EndpointHosts(settings)),
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramCharsMax },
  frameworkErrors: answerFrameworkError,
  // Fastify's own answer has another shape: `guardConnections` answers instead.
  return503OnClosing: false,
});

/** Call it after the app is created and before it is initialised. `api`: the module whose routes are documented. */
export async function configureGateway(app: NestFastifyApplication, api: Type): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const parts = app.get(GatewayParts);
  const settings = app.get(StageSettings);
  const admission = new Admission();
  const routes = app.get(RouteTable);
  fastify.addHook('onRoute', ({ url, method }) => routes.add(url, method));
  const pages = app.get(ConsolePages);
  if (settings.consoleDir !== undefined) await pages.read(settings.consoleDir);
  guardConnections(fastify, routes);
  if (parts.addresses.endpointUrl !== undefined) separateHosts(fastify, new EndpointHosts(parts.addresses));
  answerUnrouted(fastify, { routes, pages, admission });
  guardApiRoutes(fastify, parts, admission);
  serialiseListsInTurns(fastify);
  const lists = app.get(ListAnswers);
  fastify.addHook('onResponse', async (request) => lists.release(request.raw));
  endStalledAnswers(fastify);
  fastify.addHook('preClose', async () => parts.streams.close());
  fastify.addHook('preClose', async () => admission.close());
  const largeBodies = parseBodies(app);
  registerWaitingMetrics(settings.metrics, { parts, admission, largeBodies });
  app.useGlobalFilters(app.get(ProblemFilter));
  void fastify.register(endpointRoutes(parts, admission));
  void fastify.register(sessionRoutes(parts));
  // Serialised only once: it needs no key, and takes longer than any other answer to a request without one.
  let document: Buffer | undefined;
  fastify.get('/openapi.json', (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(openApiDocument(app, api, parts.addresses)));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

function parseBodies(app: NestFastifyApplication): LargeBodyParser {
  const fastify = app.getHttpAdapter().getInstance();
  const largeBodies = new LargeBodyParser();
  fastify.removeAllContentTypeParsers();
  app.useBodyParser('*', { bodyLimit: sizes.smallBodyBytes }, bodyParser(largeBodies));
  fastify.addHook('onClose', () => largeBodies.close());
  return largeBodies;
}
