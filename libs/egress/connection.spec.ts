import { Socket } from 'node:net';
import { type Connection, type Connector, FollowedClient } from './connection.ts';

/** What is known of a connection to the URL of which these addresses were dialled in vain. */
async function failedOpening(origin: string, dialled: readonly string[]): Promise<Connection['opening']> {
  const connect: Connector = (_wanted, callback) => {
    const socket = new Socket();
    setImmediate(() => {
      for (const address of dialled) socket.emit('connectionAttempt', address, 443, 4);
      callback(Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null);
    });
    return socket;
  };
  const client = new FollowedClient(origin, { connect });
  const { promise, resolve } = Promise.withResolvers<Connection['opening']>();
  let followed: Connection | undefined;
  const handler = {
    follow: (connection: Connection) => void (followed = connection),
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: () => undefined,
    onResponseError: () => resolve(followed?.opening),
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
    expect(await failedOpening(origin, dialled)).toMatchObject({ address, connectMs: null });
  },
);
