// Describes `/session`, with which the console signs in: it needs no API key.
import { scopes } from '../../../../domain/workspace/api-keys/messages.ts';
import type { OpenAPIObject } from '@nestjs/swagger';
import { refusals } from '../responses.ts';
import type { RefusalStatus } from '../responses.ts';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;

const text = { type: 'string' as const };

const session = {
  type: 'object' as const,
  required: ['workspace', 'user_id', 'api_key_id', 'scopes', 'csrf_token', 'expires_at'],
  properties: {
    workspace: text,
    user_id: text,
    api_key_id: text,
    scopes: { type: 'array' as const, items: { ...text, enum: [...scopes] } },
    csrf_token: { ...text, description: 'For X-CSRF-Token of requests that change something' },
    expires_at: { type: 'integer' as const, format: 'int64', description: 'Epoch milliseconds' },
  },
};

const credentials = {
  type: 'object' as const,
  description: 'One of the two',
  properties: {
    api_key: { ...text, maxLength: 256 },
    token: { ...text, maxLength: 256, description: 'Of the link that is shown at the start: once, within 10 minutes' },
  },
};

const jsonContent = <S>(schema: S) => ({ 'application/json': { schema } });
const sessionContent = jsonContent({ type: 'object' as const, required: ['data'], properties: { data: session } });

const refusalResponses = (...statuses: readonly RefusalStatus[]): Operation['responses'] =>
  Object.fromEntries(
    ([...statuses, 'default'] as const).map((status) => {
      const { schema, ...response } = refusals[status];
      return [status, { ...response, content: jsonContent(schema) }];
    }),
  );

export const sessionPaths: Paths = {
  '/session': {
    post: {
      tags: ['session'],
      operationId: 'signIn',
      summary: 'Sign in to the console: the answer sets a cookie, which is good for 12 hours in place of an API key',
      security: [],
      requestBody: { required: true, content: jsonContent(credentials) },
      responses: {
        200: { description: 'Signed in', content: sessionContent },
        ...refusalResponses(400, 401, 403, 415, 429, 503),
      },
    },
    get: {
      tags: ['session'],
      operationId: 'getSession',
      summary: 'Who is signed in',
      security: [],
      responses: { 200: { description: 'The session', content: sessionContent }, ...refusalResponses(401, 503) },
    },
    delete: {
      tags: ['session'],
      operationId: 'signOut',
      summary: 'Sign out: the session is refused everywhere within a second',
      security: [],
      parameters: [{ name: 'X-CSRF-Token', in: 'header', required: true, schema: text }],
      responses: { 204: { description: 'Signed out' }, ...refusalResponses(401, 403, 503) },
    },
  },
};
