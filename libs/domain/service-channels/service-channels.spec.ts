// The channels that requests can name.
import { channelProblem } from './service-channels.ts';
import type { ChannelUse } from './service-channels.ts';

const uses: readonly ChannelUse[] = ['subscribe', 'list', 'stream', 'delete'];

test.each(['', 'orders', 'a$b'])('a channel of a component, %j, is allowed for every use', (name) => {
  expect(uses.map((use) => channelProblem(name, use))).toEqual(uses.map(() => undefined));
});

test.each([
  ['$errors', []],
  ['$logs', ['delete']],
  ['$audit', ['list', 'stream', 'delete']],
  ['$in', ['subscribe', 'stream']],
  ['$', uses],
  ['$Errors', uses],
  ['$toString', uses],
] as const)('%s cannot be used to %j', (name, refused) => {
  expect(uses.filter((use) => channelProblem(name, use) !== undefined)).toEqual(refused);
});

test('a refusal lists the possible names or says why this one is not allowed', () => {
  expect(channelProblem('$other', 'subscribe')).toBe(
    'names no channel: of those that begin with $ there are $errors, $logs, $audit',
  );
  expect(channelProblem('$other', 'list')).toMatch(/ there are \$errors, \$logs, \$in$/);
  expect(channelProblem('$in', 'subscribe')).toMatch(/^cannot be \$in here: what waits there for its delivery_ts/);
});
