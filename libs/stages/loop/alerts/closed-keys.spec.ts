import { randomBytes } from 'node:crypto';
import { Keyring, WrongMasterKeyError, wrapKey } from '../../../domain/workspace/keyring.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { keyBytes, nonceBytes } from '../../../domain/secrets/seal.ts';
import { checkKeys } from './closed-keys.ts';

const [right, wrong] = [randomBytes(32), randomBytes(32)];

function checked(...masterKeys: readonly Buffer[]) {
  const keyring = new Keyring(right);
  const raised: string[] = [];
  for (const [n, masterKey] of masterKeys.entries()) {
    const workspace = `o_${n}`;
    const data = wrapKey(masterKey, randomBytes(keyBytes), randomBytes(nonceBytes), workspace);
    keyring.tryAccept({ workspace, data } as unknown as LogRecord);
  }
  const check = (): void => checkKeys(keyring, { raise: (code, subject) => raised.push(`${code} ${subject}`) });
  return { raised, check };
}

test('a damaged key among others is reported', () => {
  const { raised, check } = checked(right, wrong, right);
  check();
  expect(raised).toEqual(['seal_does_not_open o_1']);
});

test('with the wrong master key nothing is reported as damaged', () => {
  const { raised, check } = checked(wrong, wrong);
  expect(check).toThrow(WrongMasterKeyError);
  expect(raised).toEqual([]);
});
