// Derives keys from passwords. The host does the work while the component waits, and limits the cost.
import { askBytes, toArrayBuffer, viewOf } from './bytes.ts';
import { isSecretKey } from './keys/key-object.ts';

type CallbackOf<Key> = (error: unknown, key?: Key) => void;
type Callback = CallbackOf<Buffer>;

const keyBytes = (value: unknown, name: string): ArrayBuffer =>
  toArrayBuffer(isSecretKey(value) ? value.bytes : viewOf(value, undefined, name));

function runLater<Key>(derive: () => Key, callback: CallbackOf<Key>): void {
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
  askBytes('pbkdf2', keyBytes(password, 'password'), keyBytes(salt, 'salt'), iterations, length, digest);

export const pbkdf2 = (...args: [...Pbkdf2, Callback]): void => {
  const callback = args.pop() as Callback;
  runLater(() => pbkdf2Sync(...(args as unknown as Pbkdf2)), callback);
};

export const scryptSync = (password: unknown, salt: unknown, length: number, options: object = {}): Buffer =>
  askBytes('scrypt', keyBytes(password, 'password'), keyBytes(salt, 'salt'), length, JSON.stringify(options));

export const scrypt = (
  password: unknown,
  salt: unknown,
  length: number,
  ...rest: [object, Callback] | [Callback]
): void => {
  const callback = rest.pop() as Callback;
  runLater(() => scryptSync(password, salt, length, (rest as object[])[0]), callback);
};

type Hkdf = [digest: string, key: unknown, salt: unknown, info: unknown, length: number];

export const hkdfSync = (...[digest, key, salt, info, length]: Hkdf): ArrayBuffer =>
  toArrayBuffer(askBytes('hkdf', digest, keyBytes(key, 'key'), keyBytes(salt, 'salt'), keyBytes(info, 'info'), length));

export const hkdf = (...args: [...Hkdf, CallbackOf<ArrayBuffer>]): void => {
  const callback = args.pop() as CallbackOf<ArrayBuffer>;
  runLater(() => hkdfSync(...(args as unknown as Hkdf)), callback);
};
