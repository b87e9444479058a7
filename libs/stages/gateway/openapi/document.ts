// Makes the OpenAPI document: the controllers as they describe themselves, and the routes outside them.
import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { EndpointSettings } from '../../../domain/source/endpoint/endpoint-url.ts';
import { PageInfo } from '../http/pages/page-info.dto.ts';
import { PartInfo } from '../http/pages/part-info.dto.ts';
import { ErrorRecord } from './error.dto.ts';
import { dropSentDefaults } from './clients/defaults.ts';
import { allowNulls } from './clients/nulls.ts';
import { openPaths } from './paths/open-paths.ts';
import { sessionPaths } from './paths/session-paths.ts';
import { addQueryParameters } from './query-parameters.ts';

const description = `Event sources, and webhooks that their events are delivered to; the shapes are those of Pipedream's \
REST API v1. docs/api.md says what a schema cannot. With \`include\` or \`exclude\` an answer also lacks fields that are \
required here.`;

/** Covers the API in `module`; other routes are for the operator. */
export function openApiDocument(app: INestApplication, module: Type, addresses: EndpointSettings): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Wellspring')
    .setDescription(description)
    .setVersion('1')
    .addServer(addresses.publicUrl)
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key' })
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    include: [module],
    extraModels: [ErrorRecord, PageInfo, PartInfo],
    operationIdFactory: (_controller, method) => method,
  });
  addQueryParameters(document);
  dropSentDefaults(document);
  allowNulls(document);
  return { ...document, paths: { ...document.paths, ...openPaths(addresses), ...sessionPaths } };
}
