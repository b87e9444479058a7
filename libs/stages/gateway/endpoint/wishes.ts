// What a request to an endpoint may ask of the service itself, in a header or its query (component-api.md 1.9).
import type { FastifyRequest } from 'fastify';

export interface Wishes {
  /** Run it, and keep neither its body in clear nor its console. */
  readonly noStore: boolean;
  /** Keep it, and run nothing. */
  readonly noRun: boolean;
}

export const wishesOf = (request: FastifyRequest): Wishes => ({
  noStore: isAsked(request, 'x-pd-nostore'),
  noRun: isAsked(request, 'x-pd-notrigger'),
});

/** Browsers ask before a page may send what it wants to; every other OPTIONS is a request like any. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const asked: ReadonlySet<unknown> = new Set(['1', 'true']);

const isAsked = ({ headers, query }: FastifyRequest, name: string): boolean =>
  [headers[name], (query as Readonly<Record<string, unknown>>)[name]].some((value) => asked.has(value));
