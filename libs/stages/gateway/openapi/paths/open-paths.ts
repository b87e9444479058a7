// Describes paths outside `/v1` that need no API key: the endpoints of sources, and health.
import type { OpenAPIObject } from '@nestjs/swagger';
import { alertCodes } from '../../../../domain/alert/messages.ts';
import { hasHostEach, pathPrefix, sharedBase, urlOfLabel } from '../../../../domain/source/endpoint/endpoint-url.ts';
import type { EndpointSettings } from '../../../../domain/source/endpoint/endpoint-url.ts';
import { refusals } from '../responses.ts';
import type { RefusalStatus } from '../responses.ts';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;

/** The component chooses its answer: any type, any content. */
const anyContent = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } };

const endpointMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const keyDescription = 'Whoever knows it may send: `configured_props.<http prop>.endpoint_url` is the whole URL';

const endpointDescription = `Takes any method, any content type and any path below it, and makes the request an event of \
the source. Without \`customResponse\` it answers 200 once the event is sure to be run; with it, as the component responds.`;

const indicator = {
  type: 'object' as const,
  description: 'By name of the loop',
  additionalProperties: {
    type: 'object' as const,
    required: ['status'],
    properties: { status: { type: 'string' as const, enum: ['up', 'down'] }, message: { type: 'string' as const } },
  },
};

const alert = {
  type: 'object' as const,
  required: ['code', 'subject', 'message', 'since_ms'],
  properties: {
    code: { type: 'string' as const, enum: [...alertCodes] },
    subject: { type: 'string' as const, description: 'What it is about: a topic, or an id' },
    message: { type: 'string' as const },
    since_ms: { type: 'integer' as const, description: 'Epoch milliseconds' },
  },
};

const health = {
  type: 'object' as const,
  required: ['status', 'info', 'error', 'details'],
  properties: {
    status: { type: 'string' as const, enum: ['ok', 'error', 'shutting_down'] },
    info: indicator,
    error: indicator,
    details: indicator,
    alerts: {
      type: 'array' as const,
      description: 'What an operator should see to, the newest first, at most 100; it does not turn the status red',
      items: alert,
    },
  },
};

const liveness = {
  type: 'object' as const,
  required: ['status'],
  properties: { status: { type: 'string' as const, enum: ['ok'] } },
};

const jsonContent = <S>(schema: S) => ({ 'application/json': { schema } });

const refusalResponses = (...statuses: readonly RefusalStatus[]): Operation['responses'] =>
  Object.fromEntries(
    statuses.map((status) => {
      const { schema, ...response } = refusals[status];
      return [status, { ...response, content: jsonContent(schema) }];
    }),
  );

const keyParameter = {
  name: 'endpointKey',
  in: 'path' as const,
  required: true,
  description: keyDescription,
  schema: { type: 'string' as const },
};

function endpointOperation(
  method: (typeof endpointMethods)[number],
  parameters: NonNullable<Operation['parameters']>,
): Operation {
  const hasBody = method !== 'get';
  return {
    tags: ['endpoints'],
    operationId: `${method}Endpoint`,
    summary: 'Send an event to a source',
    description: endpointDescription,
    security: [],
    parameters,
    ...(hasBody ? { requestBody: { required: false, content: anyContent } } : {}),
    responses: {
      200: { description: 'Accepted, or what the component responds, which may be any status', content: anyContent },
      ...refusalResponses(404, ...(hasBody ? ([413] as const) : []), 414, 429, 500, 503, 504),
    },
  };
}

const endpointOperations = (parameters: NonNullable<Operation['parameters']> = []): Paths[string] =>
  Object.fromEntries(endpointMethods.map((method) => [method, endpointOperation(method, parameters)]));

/** Where endpoints have other hosts than the API, their path names its servers. */
function endpointPaths(settings: EndpointSettings): Paths {
  const { endpointUrl } = settings;
  if (hasHostEach(endpointUrl)) {
    const variables = { endpointKey: { default: 'KEY', description: keyDescription } };
    return {
      '/': { servers: [{ url: urlOfLabel(endpointUrl, '{endpointKey}'), variables }], ...endpointOperations() },
    };
  }
  const servers = endpointUrl === undefined ? {} : { servers: [{ url: sharedBase(settings) }] };
  return { [`${pathPrefix}{endpointKey}`]: { ...servers, ...endpointOperations([keyParameter]) } };
}

const healthPaths: Paths = {
  '/health': {
    get: {
      tags: ['health'],
      operationId: 'getHealth',
      summary: 'Whether every stage of the service moves',
      security: [],
      responses: {
        200: { description: 'Every loop moves', content: jsonContent(health) },
        503: {
          description: 'A loop has not moved for 30 s, or waits behind records of a newer program',
          content: jsonContent(health),
        },
      },
    },
  },
  '/health/live': {
    get: {
      tags: ['health'],
      operationId: 'getLiveness',
      summary: 'Whether the process answers at all',
      security: [],
      responses: { 200: { description: 'The process answers', content: jsonContent(liveness) } },
    },
  },
};

export const openPaths = (settings: EndpointSettings): Paths => ({ ...endpointPaths(settings), ...healthPaths });
