import { jest } from '@jest/globals';
import { GroupMembership } from './group-membership.ts';

/** As long as the membership sleeps between two heartbeats or attempts to join. */
const sleepMs = 500;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const brokerError = (type: string): Error => Object.assign(new Error('refused by the coordinator'), { type });

/** A member of a group whose heartbeats fail with the errors given, one each, and then succeed. */
function memberWhoseHeartbeatsFail(...errors: Error[]) {
  const calls: string[] = [];
  const failures = [...errors];
  const member = {
    join: async () => (calls.push('join'), [0, 1]),
    heartbeat: async () => {
      calls.push('heartbeat');
      const error = failures.shift();
      if (error !== undefined) throw error;
    },
    forgetMember: () => void calls.push('forgetMember'),
    leave: async () => {},
    close: () => {},
  };
  return { calls, member };
}

async function callsOf(errors: Error[], atLeast: number): Promise<readonly string[]> {
  const { calls, member } = memberWhoseHeartbeatsFail(...errors);
  const membership = new GroupMembership(member, async () => {});
  await membership.join();
  for (let sleeps = 0; calls.length < atLeast && sleeps < 2 * atLeast; sleeps++)
    await jest.advanceTimersByTimeAsync(sleepMs);
  await membership.leave();
  return calls.slice(0, atLeast);
}

it('sends a heartbeat without an answer again instead of joining anew, which would make all members rebalance', async () => {
  const unanswered = [new Error('connection closed'), brokerError('NOT_COORDINATOR_FOR_GROUP')];
  expect(await callsOf(unanswered, 4)).toEqual(['join', 'heartbeat', 'heartbeat', 'heartbeat']);
});

it.each(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_SERVER_ERROR'])(
  'joins anew when the coordinator answers %s',
  async (type) => {
    expect(await callsOf([brokerError(type)], 4)).toEqual(['join', 'heartbeat', 'join', 'heartbeat']);
  },
);

it('joins as a new member when the coordinator has forgotten it', async () => {
  const calls = await callsOf([brokerError('UNKNOWN_MEMBER_ID')], 5);
  expect(calls).toEqual(['join', 'heartbeat', 'forgetMember', 'join', 'heartbeat']);
});

it('joins again until a failed join succeeds', async () => {
  const { calls, member } = memberWhoseHeartbeatsFail();
  let failures = 2;
  const join = async () => {
    calls.push('join');
    if (failures-- > 0) throw new Error('connection closed');
    return [0];
  };
  const owned: (readonly number[])[] = [];
  const membership = new GroupMembership({ ...member, join }, async (partitions) => void owned.push(partitions));
  const joined = membership.join();
  await jest.advanceTimersByTimeAsync(2 * sleepMs);
  await joined;
  expect(calls).toEqual(['join', 'join', 'join']);
  await membership.leave();
  expect(owned).toEqual([[0]]);
});
