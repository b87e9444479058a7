// REST bodies: JSON objects in UTF-8, or nothing; every other content is a 4xx with a reason.
import type { FastifyRequest } from 'fastify';
import { ApiProblem, invalidRequest } from '../api-problem.ts';
import { findJsonFault } from './json-bounds.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** `application/json` and its relatives; clients that send a body without a type mean JSON. */
function isJson(contentType: string | undefined): boolean {
  const mediaType = (contentType ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

/** Undefined for an empty body: parameters may stand in the query string instead. Throws ApiProblem. */
export function parseBody(contentType: string | undefined, body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isJson(contentType)) {
    throw new ApiProblem(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
  const value = parseJson(body);
  const fault = findJsonFault(value);
  if (fault !== undefined) throw invalidRequest(`The body is refused: ${fault}.`);
  return value;
}

function parseJson(body: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ApiProblem(400, 'invalid_json', 'The body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'unknown cause';
    // V8 quotes the text around the fault; only what comes before the quote is ours to repeat.
    throw new ApiProblem(400, 'invalid_json', `The body is not JSON: ${cause.split(', "', 1)[0] ?? cause}.`);
  }
}

/** As Fastify's catch-all parser. */
export function bodyParser(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, parsed?: unknown) => void,
): void {
  let parsed: unknown;
  try {
    parsed = parseBody(request.headers['content-type'], body);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, parsed);
}
