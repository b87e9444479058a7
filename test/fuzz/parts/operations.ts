// Draws requests from the product's openapi.json: every operation, as documented and with deviations.
import fc from 'fast-check';
import { FromSchema } from '../drawing/from-schema.ts';
import type { Drawable } from '../drawing/from-schema.ts';
import { deepJson, hostileTexts } from '../drawing/hostile.ts';
import type { RawRequest } from './raw-request.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Drawable;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Drawable }>> };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Drawable>> };
}

export interface Caller {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly known: readonly string[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const oddMethods = fc.constantFrom('QUERY', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'G T', '\u00e9', 'CONNECT');

type Headers = readonly (readonly [string, string])[];

const oddHeaders: fc.Arbitrary<Headers> = fc.array(
  fc.tuple(
    fc.constantFrom(
      'host',
      'content-type',
      'content-encoding',
      'transfer-encoding',
      'content-length',
      'expect',
      'upgrade',
      'cookie',
      'authorization',
      'idempotency-key',
      'accept',
      'x-forwarded-for',
      '__proto__',
      'origin',
      'range',
    ),
    fc.oneof(
      hostileTexts.map(oneLine),
      fc.constantFrom('chunked', 'gzip', '100-continue', '0', '-1', 'application/json'),
    ),
  ),
  { maxLength: 3 },
);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Any operation; most requests match the document except for a few parts. */
export function drawRequests(document: OpenApi, caller: Caller): fc.Arbitrary<RawRequest> {
  const shapes = new Map(Object.entries(document.components.schemas));
  const fromSchema = new FromSchema({ shapes, known: caller.known });
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => drawRequest(fromSchema, caller, { path, method, operation })),
  );
  return fc.oneof(...all);
}

interface OperationEntry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function drawRequest(
  fromSchema: FromSchema,
  caller: Caller,
  { path, method, operation }: OperationEntry,
): fc.Arbitrary<RawRequest> {
  const parameters = operation.parameters ?? [];
  const values = fc.tuple(
    ...parameters.map(({ name, schema = {} }) => fc.tuple(fc.constant(name), fromSchema.draw(schema))),
  );
  const { schema } = Object.values(operation.requestBody?.content ?? {})[0] ?? {};
  const json =
    schema === undefined ? fc.constant('') : fromSchema.draw(schema).map((value) => JSON.stringify(value) ?? '');
  return fc
    .record({
      method: rarely(fc.constant(method.toUpperCase()), oddMethods),
      values,
      extra: rarely(fc.constant(''), fc.oneof(deepJson, hostileTexts)),
      headers: rarely(fc.constant<Headers>([]), oddHeaders),
      key: rarely(fc.constant(`Bearer ${caller.apiKey}`), hostileTexts.map(oneLine)),
      body: rarely(json, fc.oneof(deepJson, hostileTexts, json.map(withDuplicateKeys))),
    })
    .map(({ method: drawnMethod, values: parameterValues, extra, headers, key, body }) => ({
      method: drawnMethod,
      target: targetOf(path, parameters, new Map(parameterValues.map(([name, value]) => [name, textOf(value)])), extra),
      headers: [['host', new URL(caller.baseUrl).host], ['authorization', key], ...contentType(body), ...headers],
      body,
    }));
}

const contentType = (body: string): Headers => (body === '' ? [] : [['content-type', 'application/json']]);

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });

/** JSON in which every key occurs twice. */
const withDuplicateKeys = (json: string): string =>
  json.startsWith('{') && json.length > 2 ? `{${json.slice(1, -1)},${json.slice(1)}` : json;

/** Longest request target that a server parses; it rejects longer ones unseen. */
const targetUnitsMax = 15_000;

function targetOf(
  path: string,
  parameters: readonly Parameter[],
  values: ReadonlyMap<string, string>,
  extra: string,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values.get(name) ?? 'x'));
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `${name}=${encoded(values.get(name) ?? '')}`);
  const added = extra === '' ? [] : [`configured_props=${encoded(extra)}`, encoded(extra)];
  return `${filled}?${[...query, ...added].join('&')}`.slice(0, targetUnitsMax);
}

/** Well-formed first, because halves of UTF-16 pairs cannot be percent-encoded. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u0000]/g, ' ').slice(0, targetUnitsMax);
}
