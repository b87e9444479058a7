// Errors of the driver are translated to errors of the port.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
  type BulkWriteResult,
} from 'mongodb';
import { PortError } from '../../domain/port-error.ts';
import { connect } from './connection.ts';
import { fromMongo } from './mongo-errors.ts';

const clean = { getWriteConcernError: () => undefined } as BulkWriteResult;
const unreplicated = { getWriteConcernError: () => ({ code: 64 }) } as unknown as BulkWriteResult;
const answer = (code: number): MongoServerError => new MongoServerError({ message: 'refused', code });
/** Node's error for a write to a broken connection. */
const broken = (): Error => Object.assign(new Error('write EPIPE'), { errno: -32, code: 'EPIPE', syscall: 'write' });
/** The same if the server has ended the connection. */
const ended = (): Error => Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
const destroyed = (): Error => Object.assign(new Error('gone'), { code: 'ERR_STREAM_DESTROYED' });

const passing: readonly (readonly [string, Error])[] = [
  ['no server found', new MongoServerSelectionError('none', { servers: new Map() } as never)],
  ['a broken connection', new MongoNetworkError('reset')],
  ['a broken connection, as bulks wrap it', new MongoBulkWriteError(new MongoNetworkError('reset'), clean)],
  ['a write to a connection that is gone', broken()],
  ['a write to a connection that is gone, as bulks wrap it', new MongoBulkWriteError(broken() as never, clean)],
  ['a write to a connection that the server has ended', ended()],
  ['a write to a connection that was closed here', destroyed()],
  ['a connection that says nothing', new MongoNetworkTimeoutError('silent')],
  ['a call that took too long', new MongoOperationTimeoutError('late')],
  ['a server that is not a member any more', new MongoServerClosedError()],
  ['a session that ended with its server', new MongoExpiredSessionError()],
  ['an answer cut short', new MongoUnexpectedServerResponseError('no answer')],
  ['a server that shuts down', answer(91)],
  ['a call that the shutdown interrupted', answer(11600)],
  ['a call that an election interrupted', answer(11602)],
  ['a primary that hands over', answer(189)],
  ['a cursor that somebody ended', answer(237)],
  ['a plan that somebody ended', answer(175)],
  ['a fault of the server', answer(1)],
  ['a fault of the server, as bulks wrap it', new MongoBulkWriteError({ message: '', code: 1 } as never, clean)],
  ['a hosted server that is busy', answer(16500)],
  ['a primary that stepped down', answer(10107)],
  ['an answer whose next page went with the server', answer(43)],
  ['a full disk', answer(14031)],
  ['a refused password', answer(18)],
  ['a bulk whose failure has no message', new MongoBulkWriteError({ code: 64 } as never, unreplicated)],
  ['replicas that do not follow', new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64 } } as never)],
  [
    'replicas that do not follow a bulk',
    new MongoBulkWriteError({ message: 'waiting', code: 64 } as never, unreplicated),
  ],
];

test.each(passing)('%s is retryable', (_, error) => {
  const found = fromMongo(error, 'views');
  expect(found).toBeInstanceOf(PortError);
  expect(found).toMatchObject({ code: 'unavailable', retryable: true, cause: error });
});

test('an unresolved name is retryable, and a denied user is told apart from a server that does not answer', () => {
  const unresolved = Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.db.example'), { syscall: 'querySrv' });
  expect(fromMongo(unresolved, 'views')).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('See that the name in MONGODB_URL can be resolved.'),
  });
  const message = expect.stringContaining('Give MONGODB_URL a user who may read and write that database.');
  for (const code of [13, 18]) expect(fromMongo(answer(code), 'views')).toMatchObject({ code: 'unavailable', message });
});

test.each([
  ['mongodb://user:secret@db.example/x?foo=1', 'option foo is not supported'],
  ['mongodb://user:secret@db.example:99999/x', 'Unable to parse db.example:99999 with URL'],
  ['mongodb+srv://user:secret@db.example:27017/x', 'mongodb+srv URI cannot have port number'],
])('the URL %s is refused with the reason, and without its password', async (url, why) => {
  const refused = await connect(url, 'views').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'mismatch', retryable: false });
  expect(refused).toMatchObject({ message: `MONGODB_URL cannot be used: ${why}. Correct it and start again.` });
});

test('a closed client is reported as closed, and a document above the limit as too large', () => {
  expect(fromMongo(new MongoClientClosedError(), 'views')).toMatchObject({ code: 'closed' });
  expect(fromMongo(answer(10334), 'views')).toMatchObject({ code: 'too_large' });
});

test.each([answer(2), answer(11000), new MongoInvalidArgumentError('no operations'), new Error('no view films')])(
  'a broken invariant is not wrapped: %s',
  (error) => {
    expect(fromMongo(error, 'views')).toBe(error);
  },
);
