// sign and verify with asymmetric keys, as functions and as the older classes Sign and Verify, which gather their data.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, toArrayBuffer, encode, concatBuffers, viewOf } from '../bytes.ts';
import { keyText } from './key-object.ts';

const signBytes = (algorithm: string | null, data: Uint8Array, key: unknown): Buffer =>
  askBytes('sign', algorithm, toArrayBuffer(data), keyText(key));

const verifySignature = (algorithm: string | null, data: Uint8Array, key: unknown, expected: Uint8Array): boolean =>
  ask('verify', algorithm, toArrayBuffer(data), keyText(key), toArrayBuffer(expected)) === true;

class Gatherer {
  readonly algorithm: string;
  readonly parts: Buffer[] = [];

  constructor(algorithm: unknown) {
    this.algorithm = String(algorithm);
  }
  update(data: unknown, encoding?: BufferEncoding): this {
    this.parts.push(typeof data === 'string' ? viewOf(data, encoding) : Buffer.from(viewOf(data)));
    return this;
  }
  write(data: unknown, encoding?: BufferEncoding): boolean {
    this.update(data, encoding);
    return true;
  }
  end(data?: unknown, encoding?: BufferEncoding): this {
    return data === undefined ? this : this.update(data, encoding);
  }
}

export class Sign extends Gatherer {
  sign(key: unknown, encoding?: string): Buffer | string {
    return encode(signBytes(this.algorithm, concatBuffers(this.parts), key), encoding);
  }
}

export class Verify extends Gatherer {
  verify(key: unknown, expected: unknown, encoding?: BufferEncoding): boolean {
    return verifySignature(this.algorithm, concatBuffers(this.parts), key, viewOf(expected, encoding, 'signature'));
  }
}

export const createSign = (algorithm: unknown): Sign => new Sign(algorithm);
export const createVerify = (algorithm: unknown): Verify => new Verify(algorithm);

const algorithmName = (algorithm: unknown): string | null =>
  algorithm === null || algorithm === undefined ? null : String(algorithm);

export const sign = (algorithm: unknown, data: unknown, key: unknown): Buffer =>
  signBytes(algorithmName(algorithm), viewOf(data), key);

export const verify = (algorithm: unknown, data: unknown, key: unknown, expected: unknown): boolean =>
  verifySignature(algorithmName(algorithm), viewOf(data), key, viewOf(expected, undefined, 'signature'));
