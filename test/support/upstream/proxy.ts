// An HTTP proxy that requires credentials, opens tunnels to given targets, and records them.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export class Proxy {
  /** `host:port` of each opened tunnel. */
  readonly openedTunnels: string[] = [];
  /** The local port to use for an authority, by `host:port`. */
  readonly portByAuthority = new Map<string, number>();
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server, credentials: string) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
    server.on('connect', ({ url = '', headers }, client) => {
      if (headers['proxy-authorization'] !== expected) client.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n');
      else this.#open(url, client);
    });
  }

  /** `credentials`: `user:password`. */
  static async start(credentials: string): Promise<Proxy> {
    const server = createServer((_, response) => response.writeHead(405).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Proxy(server, credentials);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #open(authority: string, client: Duplex): void {
    const { hostname, port } = new URL(`http://${authority}`);
    const localPort = this.portByAuthority.get(authority);
    const target: Socket = connect({
      host: localPort === undefined ? hostname : '127.0.0.1',
      port: localPort ?? Number(port || 80),
    });
    for (const socket of [client, target]) {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.on('error', () => target.destroy());
    target.on('error', () => client.end('HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n'));
    target.on('connect', () => {
      this.openedTunnels.push(authority);
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(target).pipe(client);
    });
  }
}
