// What a request to an endpoint may ask of the service itself, in a header or its query (docs/reference/component-api.md, "Endpoints").
import type { FastifyRequest } from 'fastify';

export interface RequestOptions {
  /** Run it, and keep neither its body in clear nor its console. */
  readonly noStore: boolean;
  /** Keep it, and run nothing. */
  readonly noRun: boolean;
}

export const requestOptionsOf = (request: FastifyRequest): RequestOptions => ({
  noStore: isAsked(request, 'x-pd-nostore'),
  noRun: isAsked(request, 'x-pd-notrigger'),
});

/** Browsers ask before a page may send what it wants to; every other OPTIONS is a request like any. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** What says no: anything else asks, since a wish for privacy that is written oddly must not be passed over. */
const denied: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/** Header names are in lower case already. */
function isAsked({ headers, query }: FastifyRequest, name: string): boolean {
  const inQuery = Object.entries(query as Readonly<Record<string, unknown>>)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value);
  return [headers[name], ...inQuery]
    .filter((value) => value !== undefined)
    .flatMap((value) => String(value).split(','))
    .some((value) => !denied.has(value.trim().toLowerCase()));
}
