// What the gateway needs of the HTTP server as a whole: adapter settings, bodies, errors, endpoints, the OpenAPI document.
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sizes } from '../../domain/sizes.ts';
import { endpointRoutes } from './endpoint/endpoint-routes.ts';
import { Gateway } from './gateway.ts';
import { openApiDocument } from './openapi/document.ts';
import { bodyParser } from './rim/bodies/body-parser.ts';
import { BodyRoom } from './rim/bodies/body-room.ts';
import { LargeBodies } from './rim/bodies/large-bodies.ts';
import { ProblemFilter } from './rim/problem.filter.ts';
import { guardApiRoutes } from './rim/server/api-routes.ts';
import { guardConnections } from './rim/server/connections.ts';
import { answerFrameworkError } from './rim/server/framework-error.ts';
import { originForm } from './rim/server/request-target.ts';
import { RouteTable } from './rim/server/route-table.ts';

/** A request's head and body must have come by then; answers may take as long as they need. */
const requestMs = 60_000;
/** Longer than an id and any channel name. */
const paramCharsMax = 200;

/** What the server must be made with: options of `FastifyAdapter`. */
export const gatewayServerOptions = {
  bodyLimit: sizes.smallBodyBytes,
  requestTimeout: requestMs,
  http: { requireHostHeader: false },
  rewriteUrl: originForm,
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramCharsMax },
  frameworkErrors: answerFrameworkError,
} as const;

/** To be called after the app is created and before it is initialised. `api`: the module whose routes are documented. */
export function configureGateway(app: NestFastifyApplication, api: Type): void {
  const fastify = app.getHttpAdapter().getInstance();
  const gateway = app.get(Gateway);
  const room = new BodyRoom();
  const routes = app.get(RouteTable);
  fastify.addHook('onRoute', ({ url, method }) => routes.add(url, method));
  guardConnections(fastify, routes);
  guardApiRoutes(fastify, gateway, room);
  fastify.addHook('preClose', async () => gateway.streams.close());
  parseBodies(app);
  app.useGlobalFilters(app.get(ProblemFilter));
  void fastify.register(endpointRoutes(gateway, room));
  let document: OpenAPIObject | undefined;
  fastify.get('/openapi.json', (_request, reply) =>
    reply.send((document ??= openApiDocument(app, api, gateway.options.publicUrl))),
  );
}

function parseBodies(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const large = new LargeBodies();
  fastify.removeAllContentTypeParsers();
  app.useBodyParser('*', { bodyLimit: sizes.smallBodyBytes }, bodyParser(large));
  fastify.addHook('onClose', () => large.close());
}
