// One HTTP request as bytes on a connection of its own, because no client would send what hostile ones do.
import { connect } from 'node:net';
import type { RawRequest } from '../cases/attack.ts';

export interface RawAnswer {
  /** 0: the connection ended, or the time was over, before a status came. */
  readonly status: number;
  /** Head and body as they came. */
  readonly text: string;
  readonly tookMs: number;
}

export interface Where {
  readonly port: number;
  readonly withinMs: number;
}

/** Reads until the server closes the connection, which `Connection: close` asks it to, or until the time is over. */
export async function exchange({ head, body = '', endless }: RawRequest, where: Where): Promise<RawAnswer> {
  const startedAt = performance.now();
  const socket = connect({ port: where.port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  // A server that refuses may close before it has read the body; what it said before counts.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const timer = setTimeout(() => socket.destroy(), where.withinMs);
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  socket.on('end', () => socket.destroy());
  // Anyone who waits for the rest of a body answers only by the server's own choice.
  if (endless === true) socket.on('data', () => socket.destroy());
  await closed;
  clearTimeout(timer);
  return { status: statusOf(text()), text: text(), tookMs: performance.now() - startedAt };
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);
