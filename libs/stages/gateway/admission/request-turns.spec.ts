import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { ApiProblem } from '../http/api-problem.ts';
import { requestsPerTurn, RequestTurns } from './request-turns.ts';

const connection = () => Object.assign(new EventEmitter(), { destroyed: false });
const messageOn = (socket: ReturnType<typeof connection>) => ({ socket }) as unknown as IncomingMessage;

let turns: RequestTurns;
/** The traffic classes whose requests have begun, in this order. */
let begun: string[];
beforeEach(() => {
  turns = new RequestTurns();
  begun = [];
});

function ask(workspace: string, trafficClass: string, socket = connection()): void {
  const ofTest = begun;
  void turns.waitForTurn(messageOn(socket), { workspace, trafficClass }).then(() => ofTest.push(trafficClass));
}

const askTimes = (times: number, workspace: string, trafficClass: string): void => {
  for (let n = 0; n < times; n++) ask(workspace, trafficClass);
};

/** Resolves when all requests that can begin have begun. */
async function begunIn(count: number): Promise<readonly string[]> {
  const before = begun.length;
  for (let n = 0; n < count; n++) await turn();
  return begun.slice(before);
}

test('a bounded number of requests begins at once, and as many in each later turn', async () => {
  askTimes(requestsPerTurn * 2 + 1, 'a', 'api');
  await Promise.resolve();
  expect(begun).toHaveLength(requestsPerTurn);
  expect(turns.waitingCount).toBe(requestsPerTurn + 1);
  expect(await begunIn(1)).toHaveLength(requestsPerTurn);
  expect(await begunIn(1)).toHaveLength(1);
  expect(turns.waitingCount).toBe(0);
});

test('a single request begins at once, also after many', async () => {
  askTimes(1_000, 'a', 'api');
  await begunIn(1_000 / requestsPerTurn + 2);
  expect(begun).toHaveLength(1_000);
  ask('b', 'later');
  await Promise.resolve();
  expect(begun.at(-1)).toBe('later');
});

test('a workspace with one request does not wait for one with thousands', async () => {
  askTimes(10_000, 'flooding', 'api');
  ask('quiet', 'quiet');
  expect(await begunIn(1)).toContain('quiet');
});

test('a door with one request does not wait for another of its workspace with thousands', async () => {
  askTimes(10_000, 'a', 'flooded');
  ask('a', 'quiet');
  expect(await begunIn(1)).toContain('quiet');
});

test('a request whose client has left does not begin and takes no turn', async () => {
  askTimes(requestsPerTurn, 'a', 'first');
  const sockets = Array.from({ length: 1_000 }, connection);
  for (const socket of sockets) ask('a', 'gone', socket);
  askTimes(1, 'a', 'patient');
  for (const socket of sockets) socket.emit('close');
  expect(turns.waitingCount).toBe(1);
  expect(await begunIn(1)).toEqual([...Array.from({ length: requestsPerTurn }, () => 'first'), 'patient']);
});

test('a request on a connection that has ended already never begins', async () => {
  askTimes(requestsPerTurn, 'a', 'first');
  ask('a', 'gone', Object.assign(connection(), { destroyed: true }));
  expect(turns.waitingCount).toBe(0);
  expect(await begunIn(3)).not.toContain('gone');
});

test('when the service stops, waiting requests are refused, and so are those that would wait', async () => {
  askTimes(requestsPerTurn, 'a', 'begun');
  const owner = { workspace: 'a', trafficClass: 'waits' };
  const waiting = Array.from({ length: 100 }, () => turns.waitForTurn(messageOn(connection()), owner));
  const all = Promise.allSettled(waiting);
  turns.close();
  const outcomes = await all;
  expect(outcomes.map((each) => (each.status === 'rejected' ? (each.reason as ApiProblem).code : each.status))).toEqual(
    Array.from({ length: 100 }, () => 'unavailable'),
  );
  expect(turns.waitingCount).toBe(0);
  await expect(turns.waitForTurn(messageOn(connection()), owner)).rejects.toMatchObject({ status: 503 });
  expect(begun).toHaveLength(requestsPerTurn);
});
