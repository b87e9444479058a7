// Decorators that describe a route in the OpenAPI document: its input, its answers, its refusals.
import { applyDecorators, UseInterceptors } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import { sizes } from '../../../domain/sizes.ts';
import type { InputClass } from '../http/input/input.ts';
import { ListTurns } from '../http/lists/list-turns.ts';
import type { JsonBounds } from '../http/json/json-scan.ts';
import { ApiQueryParameters } from './query-parameters.ts';
import { enveloped, refusals } from './responses.ts';
import type { RecordClass, Refusable, Shape } from './responses.ts';

const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly input: InputClass<object>;
}

interface Answered extends Described {
  readonly record: RecordClass;
  /** `one` by default. */
  readonly shape?: Shape;
  /** How a page is sorted; newest first by default. */
  readonly order?: string;
}

interface Sized {
  /** The most bytes of the body, declared here and enforced by the server; absent: 64 KiB. */
  readonly bodyBytesMax?: number;
  /** The bounds of the body's JSON; absent: the usual ones. */
  readonly bodyJson?: JsonBounds;
}

interface Pending {
  /** When the answer is 202 instead, with the same schema. */
  readonly pending?: string;
}

const operation = ({ summary, description }: Described): MethodDecorator =>
  applyDecorators(ApiBearerAuth(), ApiOperation({ summary, ...(description === undefined ? {} : { description }) }));

const answer = (status: number, description: string, { record, shape = 'one' }: Answered): MethodDecorator =>
  applyDecorators(ApiExtraModels(record), ApiResponse({ status, description, schema: enveloped(record, shape) }));

const pendingAnswer = (answered: Answered & Pending): MethodDecorator[] =>
  answered.pending === undefined ? [] : [answer(202, answered.pending, answered)];

/** The refusal of a body that is too large names the route's limit. */
const sized = ({ bodyBytesMax = sizes.smallBodyBytes, bodyJson }: Sized): MethodDecorator => {
  const description = `The body has more than ${bodyBytesMax / 1024} KiB, or what it holds is too large`;
  const config = { bodyBytesMax, ...(bodyJson === undefined ? {} : { bodyJson }) };
  return applyDecorators(RouteConfig(config), ApiResponse({ status: 413, ...refusals[413], description }));
};

const refused = (...statuses: readonly Refusable[]): MethodDecorator =>
  applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, ...refusals[status] })),
    ApiResponse({ status: 'default', ...refusals.default }),
  );

const idempotencyKey = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description: 'Makes it safe to send the same request again for 24 hours',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
});

/** Reads something. Parameters in the query string. */
export const ApiReads = (described: Answered): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    answer(
      200,
      described.shape === 'page' || described.shape === 'part'
        ? `A page, ${described.order ?? 'newest first'}`
        : 'The record',
      described,
    ),
    refused(400, 401, 403, 404, 414, 503),
  );

/** A page of the views, read in its turn; a route that has to wait uses `TurnAway`. */
export const ApiLists = (described: Omit<Answered, 'shape'>): MethodDecorator =>
  applyDecorators(ApiReads({ ...described, shape: 'page' }), refused(429), UseInterceptors(ListTurns));

/** Like `ApiReads`, but the answer is an endless stream of records. */
export const ApiStreams = (described: Answered): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'Continue after the record with this id',
      schema: { type: 'string' },
    }),
    ApiExtraModels(described.record),
    ApiResponse({
      status: 200,
      description: 'Server-sent events: `data` is such a record, `id` is its id',
      content: { 'text/event-stream': { schema: { $ref: getSchemaPath(described.record) } } },
    }),
    refused(400, 401, 403, 404, 414, 429, 503),
  );

/** Like `ApiReads`, but the answer is a file with one JSON document per line. */
export const ApiDownloads = (described: Described): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    ApiResponse({
      status: 200,
      description: 'One JSON document a line',
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    }),
    refused(400, 401, 403, 404, 414, 429, 503),
  );

/** Creates something. Parameters in a JSON body, or in the query string. */
export const ApiCreates = (described: Answered & Pending & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: true }),
    ApiQueryParameters(described.input),
    idempotencyKey,
    answer(200, 'The record, new or the one that the same request made before', described),
    ...pendingAnswer(described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized(described),
  );

/** A trial: answers with what would happen, and stores nothing. Parameters as for `ApiCreates`. */
export const ApiTries = (described: Answered & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: true }),
    ApiQueryParameters(described.input),
    answer(200, 'What would come of it', described),
    refused(400, 401, 403, 404, 414, 415, 429, 503),
    sized(described),
  );

/** Parameters as for `ApiCreates`; idempotent. */
export const ApiUpdates = (described: Answered & Pending & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: true }),
    ApiQueryParameters(described.input),
    answer(200, 'The record as it is now', described),
    ...pendingAnswer(described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized(described),
  );

/** An action on a record, named by the path; idempotent. */
export const ApiActs = (described: Answered): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    answer(200, 'The record as it is now', described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized({}),
  );

/** Parameters in the query string; a JSON body is accepted, too. */
export const ApiDeletes = (described: Described & Partial<Answered> & Pending & Sized): MethodDecorator => {
  const { record, ...rest } = described;
  return applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    ApiResponse({ status: 204, description: 'Deleted' }),
    ...(record === undefined ? [] : pendingAnswer({ ...rest, record })),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized(described),
  );
};

/** Like `ApiDeletes`, but carried out a little later. */
export const ApiDeletesLater = (described: Answered & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    answer(202, 'It will be done', described),
    refused(400, 401, 403, 404, 414, 415, 503),
    sized(described),
  );

/** A call: the client waits until it has ended. Each request makes one call, which is never repeated. */
export const ApiCalls = (described: Answered & { readonly called?: string }): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    answer(200, described.called ?? 'The run, which has ended', described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503, 504),
    sized({}),
  );

/** A call whose answer the client gets directly. Parameters as for `ApiCreates`. */
export const ApiAsks = (described: Answered & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: true }),
    ApiQueryParameters(described.input),
    answer(200, 'What the component answers', described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503, 504),
    sized(described),
  );

/** Publishes events. Parameters as for `ApiCreates`. */
export const ApiPublishes = (described: Answered & Sized): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: true }),
    ApiQueryParameters(described.input),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Stands for the ids of events that have none: what is sent again with it is a duplicate',
      schema: { type: 'string', pattern: idempotencyKeyPattern },
    }),
    answer(200, 'The events are on the log, each once', described),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized(described),
  );

/** A requested run: answers with its id at once, or with its record to a client that waits. Else like `ApiCreates`. */
export const ApiRuns = (described: Answered & Sized & { readonly accepted: RecordClass }): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: false }),
    ApiQueryParameters(described.input),
    answer(202, 'It will be run', { ...described, record: described.accepted }),
    answer(200, 'With `wait`: the run, which has ended', described),
    refused(400, 401, 403, 404, 414, 415, 429, 503),
    sized(described),
  );

/** Starts something that continues after the answer. Parameters as for `ApiCreates`. */
export const ApiReplays = (described: Answered & { readonly counted: RecordClass }): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiBody({ type: described.input, required: false }),
    ApiQueryParameters(described.input),
    idempotencyKey,
    answer(202, 'It is accepted, and continues in the background', described),
    answer(200, 'With `dry_run`: what it would send', { ...described, record: described.counted }),
    refused(400, 401, 403, 404, 409, 414, 415, 429, 503),
    sized({}),
  );

/** A request that is carried out a little later; idempotent. */
export const ApiAccepts = (described: Answered & { readonly conflicts?: boolean }): MethodDecorator =>
  applyDecorators(
    operation(described),
    ApiQueryParameters(described.input),
    answer(202, 'It is accepted', described),
    refused(400, 401, 403, 404, 414, 415, 429, 503),
    ...(described.conflicts === true ? [refused(409)] : []),
    sized({}),
  );
