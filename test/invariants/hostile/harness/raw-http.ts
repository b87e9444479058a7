// Sends one HTTP request as bytes on its own connection, because no client would send hostile ones.
import { connect } from 'node:net';
import type { RawRequest } from '../cases/attack.ts';

export interface RawAnswer {
  /** 0: the connection or the time ended before a status came. */
  readonly status: number;
  /** Head and body as received. */
  readonly text: string;
  readonly tookMs: number;
}

export interface ExchangeOptions {
  readonly port: number;
  readonly timeoutMs: number;
}

/** Reads until the server closes the connection, as `Connection: close` requests, or until the time is over. */
export async function exchange({ head, body = '', endless }: RawRequest, options: ExchangeOptions): Promise<RawAnswer> {
  const startedAt = performance.now();
  const socket = connect({ port: options.port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  // A refusing server can close before it has read the body; its answer still counts.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const timer = setTimeout(() => socket.destroy(), options.timeoutMs);
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  socket.on('end', () => socket.destroy());
  // An answer before the end of the body is all that comes, so the connection can close.
  if (endless === true) socket.on('data', () => socket.destroy());
  await closed;
  clearTimeout(timer);
  return { status: statusOf(text()), text: text(), tookMs: performance.now() - startedAt };
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
