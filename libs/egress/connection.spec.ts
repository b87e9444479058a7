import { Socket } from 'node:net';
import { connectFailureOf } from './connect-failure.ts';
import { type Connection, type Connector, TrackedClient } from './connection.ts';

interface Failed {
  readonly opening: Connection['opening'];
  readonly text: string | undefined;
}

/**
 * The opening of a connection to the URL after failed attempts at these addresses; `connects`: the last one reaches
 * TLS.
 */
async function failed(origin: string, dialled: readonly string[], connects = false): Promise<Failed> {
  const connect: Connector = (_wanted, callback) => {
    const socket = new Socket();
    setImmediate(() => {
      for (const address of dialled) socket.emit('connectionAttempt', address, 443, 4);
      if (connects) socket.emit('connect');
      callback(Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null);
    });
    return socket;
  };
  const client = new TrackedClient(origin, { connect });
  const { promise, resolve } = Promise.withResolvers<Failed>();
  let followed: Connection | undefined;
  const handler = {
    follow: (connection: Connection) => void (followed = connection),
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: () => undefined,
    onResponseError: (_controller: unknown, error: Error) =>
      resolve({ opening: followed?.opening, text: connectFailureOf(error)?.text }),
  };
  client.dispatch({ method: 'GET', path: '/' }, handler);
  return promise;
}

test.each([
  ['a literal address', 'https://203.0.113.7', ['203.0.113.7'], '203.0.113.7:443'],
  ['a name', 'https://slow.example', ['192.88.99.1', '1.1.1.1'], '1.1.1.1:443'],
  ['a name that leads to a private address', 'https://slow.example', ['10.0.0.1'], null],
  ['an address that is mapped to a private one', 'https://192.0.2.1', ['10.0.0.1'], null],
])(
  'a connection that is not taken in time tells the address dialled last, but no private one: %s',
  async (...given) => {
    const [, origin, dialled, address] = given;
    const { opening, text } = await failed(origin, dialled);
    expect(opening).toMatchObject({ address, connectMs: null });
    expect(text).toBe('does not take connections in time');
  },
);

test('a name that is not resolved in time and a handshake that takes too long are no connections that are not taken', async () => {
  expect((await failed('https://slow.example', [])).text).toBe('could not be resolved in time');
  expect((await failed('https://slow.example', ['1.1.1.1'], true)).text).toBe(
    'does not complete the TLS handshake in time',
  );
});
