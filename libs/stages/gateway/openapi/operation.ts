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
import { envelopeSchema, refusals } from './responses.ts';
import type { RecordClass, RefusalStatus, AnswerShape } from './responses.ts';

const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

interface RouteDescription {
  readonly summary: string;
  readonly description?: string;
  readonly input: InputClass<object>;
}

interface AnswerDescription extends RouteDescription {
  readonly record: RecordClass;
  /** `one` by default. */
  readonly shape?: AnswerShape;
  /** How a page is sorted; newest first by default. */
  readonly order?: string;
}

interface BodyLimits {
  /** The most bytes of the body, declared here and enforced by the server; absent: 64 KiB. */
  readonly bodyBytesMax?: number;
  /** The bounds of the body's JSON; absent: the usual ones. */
  readonly bodyJson?: JsonBounds;
}

interface PendingAnswer {
  /** When the answer is 202 instead, with the same schema. */
  readonly pending?: string;
}

const operation = ({ summary, description }: RouteDescription): MethodDecorator =>
  applyDecorators(ApiBearerAuth(), ApiOperation({ summary, ...(description === undefined ? {} : { description }) }));

const answer = (status: number, description: string, { record, shape = 'one' }: AnswerDescription): MethodDecorator =>
  applyDecorators(ApiExtraModels(record), ApiResponse({ status, description, schema: envelopeSchema(record, shape) }));

const pendingAnswer = (route: AnswerDescription & PendingAnswer): MethodDecorator[] =>
  route.pending === undefined ? [] : [answer(202, route.pending, route)];

/** The refusal of a body that is too large names the route's limit. */
const bodyLimits = ({ bodyBytesMax = sizes.smallBodyBytes, bodyJson }: BodyLimits): MethodDecorator => {
  const description = `The body has more than ${bodyBytesMax / 1024} KiB, or what it holds is too large`;
  const config = { bodyBytesMax, ...(bodyJson === undefined ? {} : { bodyJson }) };
  return applyDecorators(RouteConfig(config), ApiResponse({ status: 413, ...refusals[413], description }));
};

const refusalResponses = (...statuses: readonly RefusalStatus[]): MethodDecorator =>
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
export const ApiReads = (route: AnswerDescription): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    answer(
      200,
      route.shape === 'page' || route.shape === 'part' ? `A page, ${route.order ?? 'newest first'}` : 'The record',
      route,
    ),
    refusalResponses(400, 401, 403, 404, 414, 503),
  );

/** A page of the views, read in its turn; a route that has to wait uses `TurnYielder`. */
export const ApiLists = (route: Omit<AnswerDescription, 'shape'>): MethodDecorator =>
  applyDecorators(ApiReads({ ...route, shape: 'page' }), refusalResponses(429), UseInterceptors(ListTurns));

/** Like `ApiReads`, but the answer is an endless stream of records. */
export const ApiStreams = (route: AnswerDescription): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'Continue after the record with this id',
      schema: { type: 'string' },
    }),
    ApiExtraModels(route.record),
    ApiResponse({
      status: 200,
      description: 'Server-sent events: `data` is such a record, `id` is its id',
      content: { 'text/event-stream': { schema: { $ref: getSchemaPath(route.record) } } },
    }),
    refusalResponses(400, 401, 403, 404, 414, 429, 503),
  );

/** Like `ApiReads`, but the answer is a file with one JSON document per line. */
export const ApiDownloads = (route: RouteDescription): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    ApiResponse({
      status: 200,
      description: 'One JSON document a line',
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    }),
    refusalResponses(400, 401, 403, 404, 414, 429, 503),
  );

/** Creates something. Parameters in a JSON body, or in the query string. */
export const ApiCreates = (route: AnswerDescription & PendingAnswer & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: true }),
    ApiQueryParameters(route.input),
    idempotencyKey,
    answer(200, 'The record, new or the one that the same request made before', route),
    ...pendingAnswer(route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits(route),
  );

/** A trial: answers with what would happen, and stores nothing. Parameters as for `ApiCreates`. */
export const ApiTries = (route: AnswerDescription & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: true }),
    ApiQueryParameters(route.input),
    answer(200, 'What would come of it', route),
    refusalResponses(400, 401, 403, 404, 414, 415, 429, 503),
    bodyLimits(route),
  );

/** Parameters as for `ApiCreates`; idempotent. */
export const ApiUpdates = (route: AnswerDescription & PendingAnswer & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: true }),
    ApiQueryParameters(route.input),
    answer(200, 'The record as it is now', route),
    ...pendingAnswer(route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits(route),
  );

/** An action on a record, named by the path; idempotent. */
export const ApiActs = (route: AnswerDescription): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    answer(200, 'The record as it is now', route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits({}),
  );

/** Parameters in the query string; a JSON body is accepted, too. */
export const ApiDeletes = (
  route: RouteDescription & Partial<AnswerDescription> & PendingAnswer & BodyLimits,
): MethodDecorator => {
  const { record, ...rest } = route;
  return applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    ApiResponse({ status: 204, description: 'Deleted' }),
    ...(record === undefined ? [] : pendingAnswer({ ...rest, record })),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits(route),
  );
};

/** Like `ApiDeletes`, but carried out a little later. */
export const ApiDeletesLater = (route: AnswerDescription & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    answer(202, 'It will be done', route),
    refusalResponses(400, 401, 403, 404, 414, 415, 503),
    bodyLimits(route),
  );

/** A call: the client waits until it has ended. Each request makes one call, which is never repeated. */
export const ApiCalls = (route: AnswerDescription & { readonly called?: string }): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    answer(200, route.called ?? 'The run, which has ended', route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503, 504),
    bodyLimits({}),
  );

/** A call whose answer the client gets directly. Parameters as for `ApiCreates`. */
export const ApiAsks = (route: AnswerDescription & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: true }),
    ApiQueryParameters(route.input),
    answer(200, 'What the component answers', route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503, 504),
    bodyLimits(route),
  );

/** Publishes events. Parameters as for `ApiCreates`. */
export const ApiPublishes = (route: AnswerDescription & BodyLimits): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: true }),
    ApiQueryParameters(route.input),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Stands for the ids of events that have none: what is sent again with it is a duplicate',
      schema: { type: 'string', pattern: idempotencyKeyPattern },
    }),
    answer(200, 'The events are on the log, each once', route),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits(route),
  );

/** A requested run: answers with its id at once, or with its record to a client that waits. Else like `ApiCreates`. */
export const ApiRuns = (route: AnswerDescription & BodyLimits & { readonly accepted: RecordClass }): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: false }),
    ApiQueryParameters(route.input),
    answer(202, 'It will be run', { ...route, record: route.accepted }),
    answer(200, 'With `wait`: the run, which has ended', route),
    refusalResponses(400, 401, 403, 404, 414, 415, 429, 503),
    bodyLimits(route),
  );

/** Starts something that continues after the answer. Parameters as for `ApiCreates`. */
export const ApiReplays = (route: AnswerDescription & { readonly counted: RecordClass }): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiBody({ type: route.input, required: false }),
    ApiQueryParameters(route.input),
    idempotencyKey,
    answer(202, 'It is accepted, and continues in the background', route),
    answer(200, 'With `dry_run`: what it would send', { ...route, record: route.counted }),
    refusalResponses(400, 401, 403, 404, 409, 414, 415, 429, 503),
    bodyLimits({}),
  );

/** A request that is carried out a little later; idempotent. */
export const ApiAccepts = (route: AnswerDescription & { readonly conflicts?: boolean }): MethodDecorator =>
  applyDecorators(
    operation(route),
    ApiQueryParameters(route.input),
    answer(202, 'It is accepted', route),
    refusalResponses(400, 401, 403, 404, 414, 415, 429, 503),
    ...(route.conflicts === true ? [refusalResponses(409)] : []),
    bodyLimits({}),
  );
