// Sends one request on its own connection, with exactly the drawn bytes, which no client corrects.
import { connect } from 'node:net';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Longer counts as unanswered; the longest documented wait is 30 s, for a deploy that runs hooks. */
const answerMaxMs = 40_000;
/** For a request whose announced body never comes, which the server need not answer. */
const unfinishedMaxMs = 1_000;
const framingHeader = /^(content-length|transfer-encoding|expect|upgrade)$/i;
const answerMaxBytes = 64 * 1024;

/** The status; 0: the connection was closed without one; undefined: nothing came in time. */
export function sendRaw(port: number, request: RawRequest): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    const end = (status: number | undefined): void => {
      socket.destroy();
      resolve(status);
    };
    const isFramed = request.headers.some(([name]) => framingHeader.test(name));
    socket.setTimeout(isFramed ? unfinishedMaxMs : answerMaxMs, () => end(isFramed ? 0 : undefined));
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      answer += text;
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      if (status !== undefined || answer.length > answerMaxBytes) end(Number(status ?? 0));
    });
    socket.on('error', () => end(0));
    socket.on('close', () => end(0));
    socket.write(bytesOf(request));
  });
}

function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const bytes = Buffer.from(body);
  const length = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
    ? ''
    : `content-length: ${bytes.length}\r\n`;
  const head = `${method} ${target} HTTP/1.1\r\n${lines}${length}connection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
