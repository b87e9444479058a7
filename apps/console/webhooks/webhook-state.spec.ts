import { stateOf } from './webhook-state.ts';

test.each([
  ['active', { active: true, disabled_reason: null, failing_since_ms: null }],
  ['failing', { active: true, disabled_reason: null, failing_since_ms: 1 }],
  ['paused', { active: false, disabled_reason: null, failing_since_ms: null }],
  ['disabled', { active: false, disabled_reason: 'gone', failing_since_ms: null }],
])('a webhook is shown as %s', (state, webhook) => {
  expect(stateOf(webhook)).toBe(state);
});
