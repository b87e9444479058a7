import { isSealed, seal, unseal } from './seal.ts';
import { Keyring, wrapKey, WrongMasterKeyError } from '../workspace/keyring.ts';
import type { LogRecord } from '../message.ts';

const dataKey = Buffer.alloc(32, 1);
const nonce = Buffer.alloc(12, 2);

const keyRecord = (data: unknown): LogRecord => ({
  id: 'rec_1',
  type: 'DataKeyAdded',
  version: 1,
  key: 'o_1',
  data,
  at: 0,
  workspace: 'o_1',
  correlationId: 'c',
  causationId: 'c',
});

test('a sealed value can be opened in its own workspace only', () => {
  const sealed = seal(dataKey, { token: 'hush' }, nonce, 'o_1');
  expect(isSealed(sealed)).toBe(true);
  expect(JSON.stringify(sealed)).not.toContain('hush');
  expect(unseal(dataKey, sealed, 'o_1')).toEqual({ token: 'hush' });
  expect(() => unseal(dataKey, sealed, 'o_2')).toThrow();
});

test.each([[null], ['$sealed'], [[]], [{}], [{ $sealed: 1 }], [{ $sealed: 'x', more: 1 }], [{ sealed: 'x' }]])(
  '%j is no sealed value',
  (value) => {
    expect(isSealed(value)).toBe(false);
  },
);

test('a sealed value with a changed byte does not open', () => {
  const { $sealed } = seal(dataKey, 'hush', nonce, 'o_1');
  const bytes = Buffer.from($sealed, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => unseal(dataKey, { $sealed: bytes.toString('base64') }, 'o_1')).toThrow();
});

test('the keyring unwraps data keys with the right master key only, and forgets them on a tombstone', () => {
  const wrapped = wrapKey(Buffer.alloc(32, 3), dataKey, nonce, 'o_1');
  const keyring = new Keyring(Buffer.alloc(32, 3));
  keyring.accept(keyRecord(wrapped));
  expect(keyring.dataKey('o_1')).toEqual(dataKey);
  expect(() => new Keyring(Buffer.alloc(32, 4)).accept(keyRecord(wrapped))).toThrow(WrongMasterKeyError);
  keyring.accept(keyRecord(null));
  expect(keyring.dataKey('o_1')).toBeUndefined();
});

test('the keyring names the workspaces whose key does not open, until their key arrives', () => {
  const keyring = new Keyring(Buffer.alloc(32, 3));
  keyring.tryAccept(keyRecord(wrapKey(Buffer.alloc(32, 4), dataKey, nonce, 'o_1')));
  expect(keyring.closed).toEqual(['o_1']);
  expect(() => keyring.check()).toThrow(WrongMasterKeyError);
  keyring.tryAccept(keyRecord(wrapKey(Buffer.alloc(32, 3), dataKey, nonce, 'o_1')));
  expect(keyring.closed).toEqual([]);
});
