// The services that components call, on one local TLS server: each host answers as its story says; requests are kept.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, certificateKey, upstreamHosts } from './certificate.ts';
import type { UpstreamHost } from './certificate.ts';

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  /** Of a repeated name, the last value. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or else the text; undefined: none. */
  readonly body: unknown;
}

export interface UpstreamResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; undefined: none. */
  readonly body?: unknown;
}

export type Service = (
  request: UpstreamRequest,
) => UpstreamResponse | undefined | Promise<UpstreamResponse | undefined>;

export class Upstream {
  readonly #server: Server;
  readonly #certDir: string;
  readonly #services = new Map<string, Service>();
  readonly #requests = new Map<string, UpstreamRequest[]>();

  private constructor(certDir: string) {
    this.#certDir = certDir;
    this.#server = createServer({ key: certificateKey, cert: certificate }, (request, response) => {
      this.#respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  static async start(): Promise<Upstream> {
    const certDir = await mkdtemp(join(tmpdir(), 'conformance-tls-'));
    const upstream = new Upstream(certDir);
    await writeFile(upstream.#certFile, certificate);
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  /** The product's environment variables that resolve the hosts to this server. */
  get env(): Readonly<Record<string, string>> {
    const target = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const map = upstreamHosts.map((host) => `${host}=${target}`).join(',');
    return { EGRESS_MAP: map, NODE_EXTRA_CA_CERTS: this.#certFile };
  }

  /** Sets the service that answers for the host; requests that it does not know get 404. */
  serve(host: UpstreamHost, service: Service): void {
    this.#services.set(host, service);
  }

  /** The requests to a host, in order of arrival. */
  requestsTo(host: UpstreamHost): readonly UpstreamRequest[] {
    return this.#requests.get(host) ?? [];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#certDir, { recursive: true, force: true });
  }

  get #certFile(): string {
    return join(this.#certDir, 'cert.pem');
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? '';
    const received = await readRequest(request);
    this.#requests.set(host, [...this.requestsTo(host as UpstreamHost), received]);
    const { status = 200, headers, body } = (await this.#services.get(host)?.(received)) ?? notFound(host, received);
    const text = body === undefined ? '' : JSON.stringify(body);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(text);
  }
}

async function readRequest(request: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://upstream');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers as Record<string, string>,
    body: parseBody(Buffer.concat(chunks).toString()),
  };
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const notFound = (host: string, { method, path }: UpstreamRequest): UpstreamResponse => ({
  status: 404,
  body: { message: `${host} knows no ${method} ${path}` },
});
