// The answers of routes with their schemas, as the OpenAPI document describes them.
import { getSchemaPath } from '@nestjs/swagger';
import type { ApiResponseOptions } from '@nestjs/swagger';
import { PageInfo } from '../http/pages/page-info.dto.ts';
import { PartInfo } from '../http/pages/part-info.dto.ts';
import { ErrorRecord } from './error.dto.ts';

/** A class that only describes: the records are plain objects of its shape. */
export type RecordClass = abstract new () => object;

/** The contents of `data`: a record, a whole list, a page of a list, or a part of something without end. */
export type AnswerShape = 'one' | 'many' | 'page' | 'part' | 'bare';

type Schema = Extract<ApiResponseOptions, { readonly schema: unknown }>['schema'];

const pageInfoClasses = { page: PageInfo, part: PartInfo };

/** `{ data }`, `{ page_info, data }`, or the record alone. */
export function envelopeSchema(record: RecordClass, shape: AnswerShape): Schema {
  const reference = { $ref: getSchemaPath(record) };
  if (shape === 'bare') return reference;
  if (shape === 'one') return { type: 'object', required: ['data'], properties: { data: reference } };
  const data = { type: 'array' as const, items: reference };
  if (shape === 'many') return { type: 'object', required: ['data'], properties: { data } };
  return {
    type: 'object',
    required: ['page_info', 'data'],
    properties: { page_info: { $ref: getSchemaPath(pageInfoClasses[shape]) }, data },
  };
}

const problem = { $ref: getSchemaPath(ErrorRecord) };
const seconds = { type: 'integer' as const, minimum: 1 };
const retryAfter = { 'Retry-After': { description: 'Seconds', required: true, schema: seconds } };
const maybeRetryAfter = {
  'Retry-After': {
    description: 'Seconds; absent where the request may be carried out twice if it is sent again',
    required: false,
    schema: seconds,
  },
};

/** Every refusal that a client should expect; docs/api.md describes each. */
export const refusals = {
  400: { description: 'A parameter is wrong, or the deploy is refused: `details` says where and why', schema: problem },
  401: {
    description: 'The API key is missing, deleted, expired or not known',
    schema: problem,
    headers: { 'WWW-Authenticate': { required: true, schema: { type: 'string' as const } } },
  },
  403: { description: 'The API key lacks the scope that the method needs', schema: problem },
  404: { description: "Not known, deleted, or another workspace's", schema: problem },
  409: { description: 'It conflicts with a request or a process before it', schema: problem },
  413: { description: 'The body, or what it holds, is too large', schema: problem },
  414: { description: 'A part of the path is longer than any id', schema: problem },
  415: { description: 'The body is not JSON', schema: problem },
  429: { description: 'Too many requests are under way', schema: problem, headers: retryAfter },
  500: { description: 'A fault of the service', schema: problem },
  503: { description: 'Not available now, or the outcome is not known', schema: problem, headers: maybeRetryAfter },
  504: { description: 'No answer in time', schema: problem },
  default: { description: 'Any other refusal', schema: problem },
} as const;

export type RefusalStatus = Exclude<keyof typeof refusals, 'default'>;
