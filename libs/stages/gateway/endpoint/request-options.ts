// Reads options of a request to an endpoint from a header or the query (docs/reference/component-api.md, "Endpoints").
import type { FastifyRequest } from 'fastify';

export interface RequestOptions {
  /** Run the source, but keep neither the body in clear text nor the run's console. */
  readonly noStore: boolean;
  /** Keep the request, but run nothing. */
  readonly noRun: boolean;
}

export const requestOptionsOf = (request: FastifyRequest): RequestOptions => ({
  noStore: isRequested(request, 'x-pd-nostore'),
  noRun: isRequested(request, 'x-pd-notrigger'),
});

/** A browser's question whether a page may send its request; every other OPTIONS is an ordinary request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Values that mean no. Any other value means yes, so that an oddly written request for privacy is still respected. */
const falseValues: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/** Node has header names in lower case. */
function isRequested({ headers, query }: FastifyRequest, name: string): boolean {
  const inQuery = Object.entries(query as Readonly<Record<string, unknown>>)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value);
  return [headers[name], ...inQuery]
    .filter((value) => value !== undefined)
    .flatMap((value) => String(value).split(','))
    .some((value) => !falseValues.has(value.trim().toLowerCase()));
}
