import { foldEvents, messageOf } from '../decider.fake.ts';
import { recordOf } from '../record/samples.fake.ts';
import { checkRecord } from '../record/check-record.ts';
import { versionOf } from '../record/record-version.ts';
import { accountsMax } from './account-bounds.ts';
import { accountDefinition, evolveAccounts, noAccounts, restoreAccount } from './accounts.ts';
import type { Accounts } from './accounts.ts';
import { decideAccount } from './decide.ts';
import type { AccountCommand, AccountDefinition, AccountEvent, UsingSource } from './messages.ts';

const credentials = { $sealed: 'c' };
const create = (accountId: string, more: object = {}, envelope: object = {}) =>
  messageOf(
    'CreateAccount',
    { accountId, userId: 'u_1', app: 'github', name: null, credentials, fields: ['token'], fingerprint: null, ...more },
    envelope,
  ) as AccountCommand;
const update = (accountId: string, changes: object) =>
  messageOf('UpdateAccount', { accountId, ...changes }) as AccountCommand;
const remove = (accountId: string, more: object = {}, envelope: object = {}) =>
  messageOf('DeleteAccount', { accountId, ...more }, envelope) as AccountCommand;

/** Carries the command out, and tells what was decided. */
function carryOut(state: Accounts, command: AccountCommand, users: readonly UsingSource[] = []): AccountEvent {
  const decided = decideAccount(state, command, { at: 1, usersOf: () => users });
  const [event] = decided.map(({ type, data }) => messageOf(type, data, { workspace: command.workspace }));
  foldEvents(state, evolveAccounts, [event] as unknown as AccountEvent[]);
  return event as unknown as AccountEvent;
}
const outcomeOf = (event: AccountEvent): string => ('reason' in event.data ? event.data.reason : event.type);

test('an account is created, changed in what is named, and deleted', () => {
  const state = noAccounts();
  expect(outcomeOf(carryOut(state, create('apn_a')))).toBe('AccountCreated');
  expect(outcomeOf(carryOut(state, update('apn_a', { name: 'n' })))).toBe('AccountUpdated');
  expect(state.byId.get('apn_a')).toMatchObject({ name: 'n', credentials, fields: ['token'] });
  const other = { credentials: { $sealed: 'd' }, fields: ['key'] };
  expect(outcomeOf(carryOut(state, update('apn_a', other)))).toBe('AccountUpdated');
  expect(state.byId.get('apn_a')).toMatchObject({ name: 'n', ...other });
  expect(carryOut(state, remove('apn_a'))).toMatchObject({
    data: { accountId: 'apn_a', createdAt: expect.any(Number) },
  });
  expect([state.byId.size, state.counts.size]).toEqual([0, 0]);
  for (const command of [update('apn_a', {}), remove('apn_a')])
    expect(outcomeOf(carryOut(state, command))).toBe('account_not_found');
});

test('another workspace sees nothing of it', () => {
  const state = noAccounts();
  carryOut(state, create('apn_a'));
  expect(outcomeOf(carryOut(state, remove('apn_a', {}, { workspace: 'o_other' })))).toBe('account_not_found');
});

test('an account in use is deleted only by force, and the refusal names the sources', () => {
  const state = noAccounts();
  carryOut(state, create('apn_a'));
  const users = [
    { id: 'dc_1', name: 'issues' },
    ...Array.from({ length: 29 }, (_, n) => ({ id: `dc_x${n}`, name: null })),
  ];
  const refused = carryOut(state, remove('apn_a'), users);
  expect(refused).toMatchObject({ data: { reason: 'account_in_use', sources: users.slice(0, 20) } });
  expect('message' in refused.data && refused.data.message).toMatch(
    /issues \(dc_1\), dc_x0, .* and 10 more.*force=true/,
  );
  expect(outcomeOf(carryOut(state, remove('apn_a', { force: true }), users))).toBe('AccountDeleted');
});

test('a repeated request gives the same account; a different one, or one after a delete, is a conflict', () => {
  const state = noAccounts();
  const keyed = { fingerprint: 'f', requestKey: 'k' };
  carryOut(state, create('apn_a', keyed));
  expect(carryOut(state, create('apn_b', keyed))).toMatchObject({
    data: { reason: 'repeated', existingId: 'apn_a' },
  });
  const other = { ...keyed, fingerprint: 'g' };
  expect(outcomeOf(carryOut(state, create('apn_b', other)))).toBe('idempotency_conflict');
  carryOut(state, remove('apn_a'));
  expect(outcomeOf(carryOut(state, create('apn_b', keyed)))).toBe('idempotency_conflict');
});

test('a workspace has a bounded number of accounts, which other workspaces do not count for', () => {
  const state = noAccounts();
  for (let n = 0; n < accountsMax; n++) expect(outcomeOf(carryOut(state, create(`apn_${n}`)))).toBe('AccountCreated');
  expect(outcomeOf(carryOut(state, create('apn_more')))).toBe('too_many_accounts');
  expect(outcomeOf(carryOut(state, create('apn_else', {}, { workspace: 'o_other' })))).toBe('AccountCreated');
  carryOut(state, remove('apn_7'));
  expect(outcomeOf(carryOut(state, create('apn_more')))).toBe('AccountCreated');
});

test('definitions restore the state of accounts, and older programs stop at them', () => {
  const state = noAccounts();
  carryOut(state, create('apn_a', { fingerprint: 'f', requestKey: 'k' }));
  carryOut(state, create('apn_b'));
  const restored = noAccounts();
  for (const id of state.byId.keys()) {
    const defined = accountDefinition(state, id);
    if (defined === undefined) throw new Error('it stands');
    const record = recordOf(defined.type, defined.data, { workspace: state.byId.get(id)?.workspace ?? '' });
    expect([checkRecord('accounts', record), versionOf(defined)]).toEqual([undefined, 7]);
    restoreAccount(restored, record as AccountDefinition);
  }
  expect(restored).toEqual(state);
  expect(accountDefinition(state, 'apn_nothing')).toBeUndefined();
});
