import { defaultLimits } from '../../sandbox-limits.ts';
import { toGuest } from '../../wire.ts';
import type { Call } from '../call/call.ts';
import { Network } from './network.ts';
import { OpenRequests } from './open-requests.ts';

const limits = { ...defaultLimits.guest, requestBodyBytes: 10, requestsOpenMax: 2 };

test('a request beyond those that a run may have open is refused and counts as tampering', () => {
  const turns: unknown[][] = [];
  let tampered = 0;
  const call = {} as Call;
  const owner = {
    callOf: () => call,
    askStore: () => Promise.resolve('{}'),
    sendToGuest: (...turn: readonly unknown[]) => void turns.push([...turn]),
    tampered: () => void tampered++,
  };
  const network = new Network({ ...defaultLimits.network, heldBytes: 0 }, { allow: [] });
  const requests = new OpenRequests(owner, 'dc_1', network, limits);
  requests.ask(7, 1, '{}', new ArrayBuffer(11));
  expect(tampered).toBe(1);
  expect(turns).toEqual([[1, toGuest.failed, 7, expect.stringContaining('"code":"ERR_LIMIT"')]]);
  // The refused request takes no slot.
  requests.ask(7, 1, '{}', new ArrayBuffer(10));
  expect(tampered).toBe(1);
  expect(turns[1]?.[3]).toContain('ERR_BUSY');
});
