import type { TriggerKind } from '../../../../libs/domain/source/messages.ts';
import { runKinds } from './logs.ts';

/** Complete: the compiler reports a missing kind. */
const kinds: Readonly<Record<TriggerKind, true>> = {
  http: true,
  timer: true,
  manual: true,
  event: true,
  deploy: true,
  activate: true,
  deactivate: true,
  apphook: true,
  emit: true,
  sample: true,
  describe: true,
  event_names: true,
  configure: true,
  props: true,
};

test('runs of every kind can be chosen', () => {
  expect(runKinds.toSorted()).toEqual(Object.keys(kinds).toSorted());
});
