import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BodyBudget, expectedBytes } from './body-budget.ts';
import type { BudgetOwner } from '../limits/byte-budget.ts';

const message = (socket = new EventEmitter()): IncomingMessage => ({ socket }) as unknown as IncomingMessage;

const owner = (workspace: string, trafficClass = 'api'): BudgetOwner => ({ workspace, trafficClass });

/** Claims single bytes until there is no room, and returns their number. */
function fill(budget: BodyBudget, of: BudgetOwner): number {
  for (let claims = 0; claims < 10_000; claims++) {
    try {
      budget.claim(message(), of, 1);
    } catch {
      return claims;
    }
  }
  throw new Error('there is no bound');
}

test('each workspace has room left, however much the others hold', () => {
  const budget = new BodyBudget(1_200);
  expect([fill(budget, owner('a')), fill(budget, owner('b')), fill(budget, owner('c'))]).toEqual([400, 267, 178]);
  expect(budget.claimedBytes).toBe(845);
});

test('the API and other endpoints of a workspace have room left, however much one endpoint holds', () => {
  const budget = new BodyBudget(1_200);
  const claimedBytes = ['dc_1', 'api', 'dc_2'].map((trafficClass) => fill(budget, owner('a', trafficClass)));
  expect(claimedBytes).toEqual([400, 134, 44]);
  expect(fill(budget, owner('b'))).toBeGreaterThan(200);
});

test('a claim without room is refused with Retry-After and takes nothing', () => {
  const budget = new BodyBudget(100);
  budget.claim(message(), owner('a'), 30);
  expect(() => budget.claim(message(), owner('a'), 21)).toThrow(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } }),
  );
  expect(budget.claimedBytes).toBe(30);
});

test('room is freed once, by a release or when the connection closes', () => {
  const budget = new BodyBudget(100);
  const socket = new EventEmitter();
  const [first, second, other] = [message(socket), message(socket), message()];
  for (const one of [first, second, other]) budget.claim(one, owner('a'), 10);
  budget.release(first);
  budget.release(first);
  expect(budget.claimedBytes).toBe(20);
  socket.emit('close');
  budget.release(second);
  expect(budget.claimedBytes).toBe(10);
  budget.release(other);
  budget.release(message());
  expect(budget.claimedBytes).toBe(0);
  budget.claim(message(), owner('a'), 33);
});

test('a closed connection claims nothing, because nobody would release it', () => {
  const budget = new BodyBudget(100);
  budget.claim(message(Object.assign(new EventEmitter(), { destroyed: true })), owner('a'), 10);
  expect(budget.claimedBytes).toBe(0);
});

test('ten thousand requests on one connection add one close listener', () => {
  const budget = new BodyBudget(1_000_000);
  const socket = new EventEmitter();
  for (let at = 0; at < 10_000; at++) budget.claim(message(socket), owner('a'), 1);
  expect(socket.listenerCount('close')).toBe(1);
  socket.emit('close');
  expect(budget.claimedBytes).toBe(0);
});

test.each([
  [{}, 0],
  [{ 'content-length': '7' }, 7],
  [{ 'content-length': '100' }, 100],
  [{ 'content-length': '101' }, 0],
  [{ 'transfer-encoding': 'chunked' }, 100],
])('a request with headers %j reserves %i bytes', (headers, bytes) => {
  expect(expectedBytes({ headers } as unknown as IncomingMessage, 100)).toBe(bytes);
});
