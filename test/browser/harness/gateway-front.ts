// The console and its session in front of a product, until the gateway serves both itself: then its own address is enough.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

const consoleDir = fileURLToPath(new URL('../../../dist/console', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
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
const sessionMs = 12 * 3_600_000;

export class GatewayFront {
  readonly #productUrl: string;
  readonly #apiKey: string;
  readonly #sessions = new Map<string, string>();
  readonly #server: Server;

  private constructor(productUrl: string, apiKey: string) {
    this.#productUrl = productUrl;
    this.#apiKey = apiKey;
    this.#server = createServer((asked, answer) => void this.#answer(asked, answer));
  }

  static async before(productUrl: string, apiKey: string, port = 0): Promise<GatewayFront> {
    const front = new GatewayFront(productUrl, apiKey);
    await new Promise<void>((resolve) => front.#server.listen(port, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** As when the key is revoked. */
  endSessions(): void {
    this.#sessions.clear();
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname } = new URL(asked.url ?? '/', this.url);
    if (pathname === '/session') return this.#session(asked, answer);
    if (pathname === '/health') return this.#pass(asked, answer);
    if (!pathname.startsWith('/v1/')) return this.#file(pathname, answer);
    const token = this.#tokenOf(asked);
    if (token === undefined) return refuse(answer, 401, 'unauthorized');
    if (asked.method !== 'GET' && asked.headers['x-csrf-token'] !== token) return refuse(answer, 403, 'forbidden');
    this.#pass(asked, answer);
  }

  async #session(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const id = cookieOf(asked);
    if (asked.method === 'POST') {
      const given = JSON.parse(await text(asked)) as { readonly api_key?: string };
      if (given.api_key !== this.#apiKey) return refuse(answer, 401, 'unauthorized');
      const [session, token] = [randomUUID(), randomUUID()];
      this.#sessions.set(session, token);
      answer.setHeader('set-cookie', `session=${session}; HttpOnly; SameSite=Strict; Path=/`);
      return send(answer, 200, shown(token));
    }
    if (asked.method === 'DELETE' && id !== undefined) {
      this.#sessions.delete(id);
      answer.writeHead(204).end();
      return;
    }
    const token = this.#tokenOf(asked);
    if (token === undefined) return refuse(answer, 401, 'unauthorized');
    send(answer, 200, shown(token));
  }

  #tokenOf(asked: IncomingMessage): string | undefined {
    return this.#sessions.get(cookieOf(asked) ?? '');
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { host: _host, cookie: _cookie, connection: _connection, ...headers } = asked.headers;
    const options = { method: asked.method, headers: { ...headers, authorization: `Bearer ${this.#apiKey}` } };
    const passed = request(new URL(asked.url ?? '/', this.#productUrl), options, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }

  async #file(pathname: string, answer: ServerResponse): Promise<void> {
    const name = extname(pathname) === '' ? '/index.html' : pathname;
    try {
      const content = await readFile(join(consoleDir, name));
      const type = types[extname(name)] ?? 'application/octet-stream';
      answer.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(content);
    } catch {
      refuse(answer, 404, 'not_found');
    }
  }
}

const shown = (csrfToken: string): object => ({
  data: { workspace: 'o_1', csrf_token: csrfToken, expires_at: Date.now() + sessionMs },
});

const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )session=([^;]+)/.exec(headers.cookie ?? '')?.[1];

const refuse = (answer: ServerResponse, status: number, code: string): void =>
  send(answer, status, { error: code, code });

function send(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
