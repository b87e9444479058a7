import { presentEvent } from './event.presenter.ts';

const presented = (event: string): unknown =>
  presentEvent({ eventId: 'e', emittedAt: 1, event, emitterId: 'dc_1', runId: 'r', channel: '', emit: {} }, false);

test('a long event is cut at 1,024 characters of its text, and never within one', () => {
  expect(presented('x'.repeat(1_022))).toMatchObject({ event: 'x'.repeat(1_022) });
  expect(presented('x'.repeat(1_023))).toMatchObject({ event: `"${'x'.repeat(1_023)}`, truncated: true });
  expect(presented(`${'x'.repeat(1_022)}\u{1F600}`)).toMatchObject({ event: `"${'x'.repeat(1_022)}`, truncated: true });
});
