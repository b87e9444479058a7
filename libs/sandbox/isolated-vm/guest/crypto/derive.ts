// Derives keys from passwords. The host does the work while the component waits, and limits the cost.
import { askBytes, bare, viewOf } from './bytes.ts';
import { isSecretKey } from './keys/key-object.ts';

type CallbackOf<Key> = (error: unknown, key?: Key) => void;
type Callback = CallbackOf<Buffer>;

const keyed = (value: unknown, name: string): ArrayBuffer =>
  bare(isSecretKey(value) ? value.bytes : viewOf(value, undefined, name));

function later<Key>(derive: () => Key, callback: CallbackOf<Key>): void {
  void Promise.resolve().then(() => {
    let key: Key;
    try {
      key = derive();
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, key);
  });
}

type Pbkdf2 = [password: unknown, salt: unknown, iterations: number, length: number, digest: string];

export const pbkdf2Sync = (...[password, salt, iterations, length, digest]: Pbkdf2): Buffer =>
  askBytes('pbkdf2', keyed(password, 'password'), keyed(salt, 'salt'), iterations, length, digest);

export const pbkdf2 = (...args: [...Pbkdf2, Callback]): void => {
  const callback = args.pop() as Callback;
  later(() => pbkdf2Sync(...(args as unknown as Pbkdf2)), callback);
};

export const scryptSync = (password: unknown, salt: unknown, length: number, options: object = {}): Buffer =>
  askBytes('scrypt', keyed(password, 'password'), keyed(salt, 'salt'), length, JSON.stringify(options));

export const scrypt = (
  password: unknown,
  salt: unknown,
  length: number,
  ...rest: [object, Callback] | [Callback]
): void => {
  const callback = rest.pop() as Callback;
  later(() => scryptSync(password, salt, length, (rest as object[])[0]), callback);
};

type Hkdf = [digest: string, key: unknown, salt: unknown, info: unknown, length: number];

export const hkdfSync = (...[digest, key, salt, info, length]: Hkdf): ArrayBuffer =>
  bare(askBytes('hkdf', digest, keyed(key, 'key'), keyed(salt, 'salt'), keyed(info, 'info'), length));

export const hkdf = (...args: [...Hkdf, CallbackOf<ArrayBuffer>]): void => {
  const callback = args.pop() as CallbackOf<ArrayBuffer>;
  later(() => hkdfSync(...(args as unknown as Hkdf)), callback);
};
