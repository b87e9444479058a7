import type { PropDefinition } from '../../../domain/component/manifest.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { recordOf } from '../../../domain/record/samples.fake.ts';
import { MemoryLog } from '../../../log/log.fake.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import type { World } from '../testing/world.fake.ts';
import { FollowedAccounts } from './followed-accounts.ts';

let world: World;
const { begin, runs, finished, life, events } = worldForEachTest((made) => (world = made));

const id = 'apn_8kQ2vYx0LmB4nTzR';
const app: PropDefinition = { name: 'acme', type: 'app', app: 'acme' };
const value = { acme: { authProvisionId: id } };

const account = (credentials: JsonObject, more: object = {}): object => ({
  accountId: id,
  userId: 'u_1',
  app: 'acme',
  name: null,
  credentials: world.seal(credentials),
  fields: Object.keys(credentials),
  createdAt: 0,
  madeBy: null,
  ...more,
});
const tell = (data: object | undefined): Promise<void> => world.append('accounts', 'AccountDefined', id, data);
const deploy = (): Promise<void> =>
  world.deploy(
    'dc_a',
    {
      props: [app],
      run: ({ emit, console, props }) => {
        const { auth } = props['acme'] as { readonly auth: JsonObject };
        console(`with ${JSON.stringify(auth)}`);
        emit({ event: auth });
      },
    },
    value,
  );
const refusals = () => runs().map(({ outcome, error }) => [outcome, error?.name, error?.message]);

test('a run gets the credentials of its account, the console hides them, and later runs get the replaced ones', async () => {
  await tell(account({ key: 'hush-hush' }));
  await deploy();
  await begin();
  await world.trigger('dc_a');
  await finished(1);
  await tell(account({ key: 'other-one' }));
  for (const deadline = Date.now() + 15_000; events().at(-1)?.event === events()[0]?.event;) {
    expect(Date.now()).toBeLessThan(deadline);
    await world.trigger('dc_a');
    await finished(runs().length + 1);
  }
  expect(events().at(-1)?.event).toEqual({ key: 'other-one' });
  expect(new Set(runs().map(({ console }) => console[0]?.text))).toEqual(new Set(['with {"key":"[secret]"}']));
});

test('reads an unread account when a run needs it, and after a restart refuses the run if the account was deleted', async () => {
  await deploy();
  await begin();
  await tell(account({ key: 'hush-hush' }));
  await world.trigger('dc_a');
  await finished(1);
  expect(runs()[0]?.outcome).toBe('succeeded');
  life()?.kill();
  await tell(undefined);
  await begin();
  await world.trigger('dc_a');
  await finished(2);
  expect(refusals()[1]).toEqual([
    'refused',
    'AccountGoneError',
    expect.stringMatching(`${id} of the prop "acme" was deleted`),
  ]);
});

test.each<[string, () => object, string, RegExp]>([
  [
    'those of another app',
    () => account({ key: 'k' }, { app: 'other' }),
    'AccountGoneError',
    /is one of the app other, not of acme/,
  ],
  [
    'impossible to open',
    () => account({}, { credentials: { $sealed: 'AAAA' } }),
    'SealedError',
    /cannot be opened.*PUT \/v1\/accounts/,
  ],
])('refuses a run whose credentials are %s and names the reason', async (_name, data, name, message) => {
  await tell(data());
  await deploy();
  await begin();
  await world.trigger('dc_a');
  await finished(1);
  expect(refusals()).toEqual([['refused', name, expect.stringMatching(message)]]);
});

test('ignores records that another partition has already read, and skips a malformed one', () => {
  const accounts = new FollowedAccounts();
  const record = (offset: number, data: object | null) =>
    ({ ...recordOf('AccountDefined', data, { key: id }), topic: 'accounts', partition: 0, offset }) as never;
  const sealed = (key: string) => ({ accountId: id, app: 'acme', credentials: { $sealed: key } });
  accounts.apply(record(0, sealed('a')));
  accounts.apply(record(3, sealed('b')));
  accounts.apply(record(0, sealed('a')));
  expect([accounts.get(id)?.credentials, accounts.next]).toEqual([{ $sealed: 'b' }, 4]);
  accounts.skip({ topic: 'accounts', partition: 0, offset: 4, problem: '', record: {} });
  accounts.apply(record(5, null));
  accounts.apply(record(3, sealed('b')));
  expect([accounts.get(id), accounts.isKnown(id), accounts.isKnown('apn_other'), accounts.next]).toEqual([
    undefined,
    true,
    false,
    6,
  ]);
});

test('reading to the end reveals deleted accounts, and concurrent callers share one read', async () => {
  const log = new MemoryLog({ partitions: 1 });
  const accounts = new FollowedAccounts();
  let reads = 0;
  const counted = {
    settledEnd: async () => {
      reads++;
      return log.settledEnd('accounts', 0);
    },
    read: async () => ({ records: [], malformed: [], next: 0 }),
  };
  await Promise.all([accounts.catchUp(counted as never, ['apn_a']), accounts.catchUp(counted as never, ['apn_b'])]);
  expect([reads, accounts.isKnown('apn_a'), accounts.isKnown('apn_b')]).toEqual([1, true, true]);
});
