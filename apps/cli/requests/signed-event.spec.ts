import { Webhook } from 'standardwebhooks';
import { listeningKey, signedRequest } from './signed-event.ts';

const event = {
  id: '1777000000000-0',
  indexed_at_ms: 1_777_000_000_000,
  event: { greeting: 'Hello' },
  metadata: { emitter_id: 'dc_1', emit_id: '1777000000000-0', run_id: 'run_1', trace_id: null, name: '' },
};

test("a forwarded event passes a receiver's check of its signature", () => {
  const key = listeningKey('pd_x');
  const { headers, body } = signedRequest(event, key, Date.now());
  expect(new Webhook(key).verify(body, headers)).toEqual({ greeting: 'Hello' });
  expect(() => new Webhook(listeningKey('pd_y')).verify(body, headers)).toThrow();
});

test('an event has the same id each time it is forwarded', () => {
  const [first, second] = [1_777_000_000_000, 1_777_000_900_000].map((at) => signedRequest(event, 'whsec_YQ==', at));
  expect(first?.headers['webhook-id']).toBe(second?.headers['webhook-id']);
});
