import { actorOf, chainFrom, chainIdOf, originOf } from './chain.ts';
import { traceIdOf, traceparentOf } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

test('everything that follows from a request carries its id, actor and trace', () => {
  const { correlationId, causationId } = chainFrom('req_1', 'key_0123456789abcdef', traceparent);
  expect(causationId).toBe('req_1');
  expect(chainIdOf(correlationId)).toBe('req_1');
  expect(actorOf(correlationId)).toBe('key_0123456789abcdef');
  expect(traceIdOf(correlationId)).toBe(trace);
});

test('without a trace the actor is still known', () => {
  const { correlationId } = chainFrom('rec_1', 'scheduler');
  expect([chainIdOf(correlationId), actorOf(correlationId)]).toEqual(['rec_1', 'scheduler']);
});

test('the log adds the traceparent and actor of the correlation', () => {
  const record = { id: 'rec_2', ...chainFrom('req_1', 'delivery') };
  expect(originOf(record)).toEqual({ traceparent: traceparentOf(record), actor: 'delivery' });
});

test.each([
  ['one of an earlier program', 'req_1'],
  ['one of an earlier program with a trace', `req_1/${traceparent}`],
  ['an empty one', ''],
  ['one that ends early', 'req_1/'],
  ['one with two separators', `req_1//${traceparent}`],
])('%s is not an actor', (_what, correlationId) => {
  expect(actorOf(correlationId)).toBeUndefined();
  expect(Object.keys(originOf({ id: 'rec_1', correlationId }))).toEqual(['traceparent']);
  expect(chainIdOf(correlationId)).toBe(correlationId === '' ? '' : 'req_1');
});
