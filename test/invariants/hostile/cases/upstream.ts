// A hostile server, which only the product reaches, as `http://upstream.example`.
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export const upstreamHost = 'upstream.example';

const MiB = 1024 * 1024;
const dripEveryMs = 100;
/** A thousandth of its unpacked size. */
const bomb = gzipSync(Buffer.alloc(64 * MiB));

type RespondFunction = (response: ServerResponse) => void;

const redirect =
  (location: string): RespondFunction =>
  (response) =>
    void response.writeHead(302, { location }).end();

/** Sends a byte now and then, forever, so that an idle timeout never ends it. */
const drip: RespondFunction = (response) => {
  const timer = setInterval(() => response.write('.'), dripEveryMs);
  response.on('close', () => clearInterval(timer));
};

/** Sends as fast as it is read, forever. */
const endless: RespondFunction = (response) => {
  const chunk = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

const answers: Readonly<Record<string, RespondFunction>> = {
  '/drip': drip,
  '/endless': endless,
  '/silent': () => {},
  '/loop': redirect('/loop'),
  '/longer': (response) => redirect(`${response.req.url}0`)(response),
  '/metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/mapped': redirect('http://[::ffff:10.0.0.1]/'),
  '/file': redirect('file:///etc/passwd'),
  '/bomb': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/many-fields': (response) => void response.writeHead(200, { 'x-many': 'x'.repeat(MiB) }).end(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('a part');
    setImmediate(() => response.destroy());
  },
};

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const known = Object.keys(answers).find((path) => url.startsWith(path));
  response.on('error', () => {});
  if (known === undefined) response.end('ok');
  else answers[known]?.(response);
}

export class HostileUpstream {
  /** The value of `EGRESS_MAP` with which the product finds it. */
  readonly map: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.map = `${upstreamHost}=127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<HostileUpstream> {
    const server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileUpstream(server);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
