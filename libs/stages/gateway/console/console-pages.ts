// Serves the console: its files, and its one HTML page for the path of every page.
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../http/request-target.ts';
import { encodings, readConsole } from './console-files.ts';
import type { ConsoleFile, ConsoleFiles, Encoding } from './console-files.ts';

/** The console loads from and calls only its own service, and no other site can show it in a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const yearSeconds = 31_536_000;

/** Paths that are not the console's: an unknown path below them gets the API's answer. */
const apiPaths = /^\/(?:v1|sse|e|session|health|metrics|rebuild|openapi\.json)(?:\/|$)/;

const notBuiltText =
  'The console is not built here. The REST API is under /v1: GET /openapi.json describes it, GET /health shows the state of the service.\n';

@Injectable()
export class ConsolePages {
  #files: ConsoleFiles = new Map();

  /** Must be called before the server listens. */
  async read(folder: string): Promise<void> {
    this.#files = await readConsole(folder);
  }

  get isBuilt(): boolean {
    return this.#files.has('/index.html');
  }

  /** Whether the console answers this request, which matches no route. */
  canAnswer(request: FastifyRequest): boolean {
    return this.#fileFor(request) !== undefined;
  }

  /** Must be called only for requests that it `canAnswer`s. */
  answer(request: FastifyRequest, reply: FastifyReply): void {
    const file = this.#fileFor(request);
    if (file === 'absent') sendNotBuilt(reply);
    else if (file !== undefined) send(file, request, reply);
  }

  #fileFor(request: FastifyRequest): ConsoleFile | 'absent' | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = pathOf(request.url);
    if (apiPaths.test(path)) return undefined;
    const page = this.#files.get('/index.html');
    if (page === undefined) return path === '/' ? 'absent' : undefined;
    return path === '/' ? page : (this.#files.get(path) ?? (isNavigation(request) ? page : undefined));
  }
}

/** Only a navigation gets the page for an unknown path: a missing file is 404. */
const isNavigation = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

function sendNotBuilt(reply: FastifyReply): void {
  void reply.code(200).headers(pageHeaders).header('content-type', 'text/plain; charset=utf-8').send(notBuiltText);
}

function send(file: ConsoleFile, { headers, method }: FastifyRequest, reply: FastifyReply): void {
  const caching = file.isHashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
  void reply.headers(pageHeaders).headers({ 'cache-control': caching, etag: file.etag, vary: 'accept-encoding' });
  if (headers['if-none-match'] === file.etag) {
    void reply.code(304).send();
    return;
  }
  const encoding = encodingFor(file, headers['accept-encoding']);
  const body = encoding === undefined ? undefined : file.compressed.get(encoding);
  if (body !== undefined) void reply.header('content-encoding', encoding);
  const bytes = body ?? file.body;
  void reply.code(200).headers({ 'content-type': file.type, 'content-length': bytes.length });
  void reply.send(method === 'HEAD' ? undefined : bytes);
}

/** The preferred encoding of the file that the client accepts; `q=0` means that it refuses one. */
function encodingFor(file: ConsoleFile, accepted: string | string[] | undefined): Encoding | undefined {
  const acceptedEncodings = new Set(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  );
  return encodings.find(({ name }) => acceptedEncodings.has(name) && file.compressed.has(name))?.name;
}
