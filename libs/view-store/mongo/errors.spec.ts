// Errors of the driver become errors of the port.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
  type BulkWriteResult,
} from 'mongodb';
import { PortError } from '../../domain/port-error.ts';
import { fromMongo } from './mongo-errors.ts';

const clean = { getWriteConcernError: () => undefined } as BulkWriteResult;
const unreplicated = { getWriteConcernError: () => ({ code: 64 }) } as unknown as BulkWriteResult;
const answer = (code: number): MongoServerError => new MongoServerError({ message: 'refused', code });

const passing: readonly (readonly [string, Error])[] = [
  ['no server found', new MongoServerSelectionError('none', { servers: new Map() } as never)],
  ['a broken connection', new MongoNetworkError('reset')],
  ['a broken connection, as bulks wrap it', new MongoBulkWriteError(new MongoNetworkError('reset'), clean)],
  ['a server that shuts down', answer(91)],
  ['a primary that stepped down', answer(10107)],
  ['an answer whose next page went with the server', answer(43)],
  ['a full disk', answer(14031)],
  ['a refused password', answer(18)],
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

test('a closed client is reported as closed, and a document above the limit as too large', () => {
  expect(fromMongo(new MongoClientClosedError(), 'views')).toMatchObject({ code: 'closed' });
  expect(fromMongo(answer(10334), 'views')).toMatchObject({ code: 'too_large' });
});

test.each([answer(2), answer(11000), new Error('no view films')])('a broken invariant is not wrapped: %s', (error) => {
  expect(fromMongo(error, 'views')).toBe(error);
});
