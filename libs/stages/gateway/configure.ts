// What the gateway needs of the HTTP server as a whole: adapter settings, bodies, errors, endpoints, the OpenAPI document.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sizes } from '../../domain/sizes.ts';
import { endpointRoutes } from './endpoint/endpoint-routes.ts';
import { Gateway } from './gateway.ts';
import { openApiDocument } from './openapi/document.ts';
import { bodyParser } from './rim/input/body-parser.ts';
import { answerClientError, guardConnections } from './rim/connections.ts';
import { answerFrameworkError } from './rim/framework-error.ts';
import { ProblemFilter } from './rim/problem.filter.ts';
import { RouteTable } from './rim/route-table.ts';

/** A request's head and body must have come by then; answers may take as long as they need. */
const requestMs = 60_000;
/** Longer than an id and any channel name. */
const paramCharsMax = 200;

/** What the server must be made with: options of `FastifyAdapter`. */
export const gatewayServerOptions = {
  bodyLimit: sizes.restBodyBytes,
  requestTimeout: requestMs,
  http: { requireHostHeader: false },
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramCharsMax },
  frameworkErrors: answerFrameworkError,
  clientErrorHandler: answerClientError,
} as const;

/** To be called after the app is created and before it is initialised. */
export function configureGateway(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const routes = app.get(RouteTable);
  fastify.addHook('onRoute', ({ url, method }) => routes.add(url, method));
  guardConnections(fastify);
  fastify.removeAllContentTypeParsers();
  app.useBodyParser('*', { bodyLimit: sizes.restBodyBytes }, bodyParser);
  app.useGlobalFilters(app.get(ProblemFilter));
  const gateway = app.get(Gateway);
  void fastify.register(endpointRoutes(gateway));
  let document: OpenAPIObject | undefined;
  fastify.get('/openapi.json', (_request, reply) =>
    reply.send((document ??= openApiDocument(app, gateway.options.publicUrl))),
  );
}
