import { eventStreams } from './stream-kind.ts';
import { FieldSelection } from './selection.ts';

const followed = { kind: eventStreams, workspace: 'o_1', sourceId: 'dc_1', channel: undefined };
const keyOf = (asked: object): string => new FieldSelection(followed, asked).key;

test('selections of the same fields have the same key, regardless of order and unknown fields', () => {
  const all = keyOf({});
  for (let n = 0; n < 100; n++) expect(keyOf({ exclude: `f${n}` })).toBe(all);
  expect(keyOf({ include: 'id,event' })).toBe(keyOf({ include: ' event,x,id', exclude: 'y' }));
  expect(keyOf({ exclude: 'event' })).not.toBe(all);
  expect(keyOf({ include: 'nothing' })).toBe('');
});
