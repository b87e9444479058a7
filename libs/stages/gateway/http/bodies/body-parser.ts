// Parses REST bodies: JSON objects in UTF-8, or nothing; any other content is a 4xx with a reason.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { sizes } from '../../../../domain/sizes.ts';
import { callerOf } from '../api-key.guard.ts';
import { ApiProblem } from '../api-problem.ts';
import { problemOfField } from '../input/field-problem.ts';
import { parseBodyText } from './body-text.ts';
import type { ParsedBody } from './body-text.ts';
import type { JsonBounds } from '../json/json-scan.ts';
import type { LargeBodyParser } from './large-body-parser.ts';

/** `application/json` and its variants; clients that send a body without a type mean JSON. */
function isJson(contentType: string | undefined): boolean {
  const mediaType = (contentType ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** From the `RouteConfig` of a controller's method. */
interface BodyConfig {
  readonly bodyJson?: JsonBounds;
}

type Done = (error: Error | null, parsed?: unknown) => void;

/** Fastify's catch-all parser. Returns undefined for an empty body: parameters can be in the query string instead. */
export function bodyParser(largeBodies: LargeBodyParser): (request: FastifyRequest, body: Buffer, done: Done) => void {
  return (request, body, done) => {
    const settle = (parsed: ParsedBody): void => {
      if ('value' in parsed) done(null, parsed.value);
      else done(problemOf(parsed));
    };
    const { bodyJson } = request.routeOptions.config as BodyConfig;
    const headerProblem = headerProblemOf(request.headers);
    if (body.length === 0) done(null, undefined);
    else if (headerProblem !== undefined) done(headerProblem);
    else if (body.length <= sizes.smallBodyBytes) settle(parseBodyText(body, bodyJson));
    else largeBodies.parse(callerOf(request).workspace, body, bodyJson).then(settle, done);
  };
}

/** The refusal, from the headers, of a body that is not read. Undefined: it is JSON in UTF-8. */
function headerProblemOf({
  'content-type': type,
  'content-encoding': encodings = '',
}: IncomingHttpHeaders): Error | undefined {
  if (!isJson(type)) return unsupported('Send the body as application/json.');
  const encoding = encodings
    .split(',')
    .map(word)
    .find((one) => one !== '' && one.toLowerCase() !== 'identity');
  if (encoding !== undefined)
    return unsupported(`Send the body as it is: encodings such as ${encoding} are not taken.`);
  const charset = charsetIn.exec(type ?? '')?.[1];
  if (charset === undefined || utf8.has(charset.toLowerCase())) return undefined;
  return unsupported(`Send the body in UTF-8, not in ${word(charset)}.`);
}

const charsetIn = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
/** ASCII is a subset of UTF-8. */
const utf8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** Names of charsets and encodings are shorter. */
const wordChars = 40;
const word = (text: string): string => text.trim().slice(0, wordChars);

const unsupported = (message: string): ApiProblem => new ApiProblem(415, 'unsupported_media_type', message);

function problemOf({ refusal: { code, message, field } }: Extract<ParsedBody, { refusal: unknown }>): ApiProblem {
  return new ApiProblem(400, code, message, field === undefined ? {} : { details: problemOfField(field, message) });
}
