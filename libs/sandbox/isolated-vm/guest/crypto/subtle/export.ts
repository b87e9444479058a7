// exportKey of crypto.subtle, for every format.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { toArrayBuffer } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { digestOf, isAes, isKeyDerivation, hasSingleCurve, isRsa, domException } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';

export function exportKey(format: unknown, key: unknown): unknown {
  CryptoKey.materialOf(key);
  const cryptoKey = key as CryptoKey;
  if (isKeyDerivation(cryptoKey.algorithm.name)) throw unsupportedFormat(cryptoKey, format);
  if (!cryptoKey.extractable) throw domException('InvalidAccessError', 'key is not extractable');
  if (format === 'jwk')
    return { ...jwkMaterial(cryptoKey), key_ops: [...cryptoKey.usages], ext: true, ...jwkAlgorithm(cryptoKey) };
  const { type } = cryptoKey;
  if (format === 'raw' && type === 'secret') return toArrayBuffer(CryptoKey.bytesOf(cryptoKey));
  const { name } = cryptoKey.algorithm;
  const isPoint = format === 'raw' && type === 'public';
  if (isPoint && (name === 'ECDSA' || name === 'ECDH')) return exportPoint(cryptoKey);
  if (isPoint && hasSingleCurve(name))
    return toArrayBuffer(Buffer.from(jwkMaterial(cryptoKey)['x'] ?? '', 'base64url' as BufferEncoding));
  if ((format === 'spki' && type === 'public') || (format === 'pkcs8' && type === 'private'))
    return ask('keyExport', type, keyText(CryptoKey.pemOf(cryptoKey)), format);
  throw unsupportedFormat(cryptoKey, format);
}

const unsupportedFormat = ({ type, algorithm }: CryptoKey, format: unknown): unknown =>
  domException('NotSupportedError', `A ${type} ${algorithm.name} key cannot be exported as ${String(format)}`);

function jwkMaterial(key: CryptoKey): Readonly<Record<string, string>> {
  if (key.type === 'secret') return { kty: 'oct', k: CryptoKey.bytesOf(key).toString('base64url' as BufferEncoding) };
  const text = ask('keyExport', key.type, keyText(CryptoKey.pemOf(key)), 'jwk');
  return JSON.parse(String(text)) as Record<string, string>;
}

function jwkAlgorithm({ algorithm }: CryptoKey): { readonly alg?: string } {
  const { name } = algorithm;
  if (name === 'ECDSA' || name === 'ECDH' || name === 'X25519') return {};
  if (name === 'Ed25519') return { alg: name };
  if (isAes(name)) return { alg: `A${String(algorithm['length'])}${name.slice(4)}` };
  const bits = digestOf(algorithm['hash']).name.slice(4);
  if (name === 'RSA-OAEP') return { alg: bits === '1' ? name : `${name}-${bits}` };
  return { alg: `${isRsa(name) ? (name === 'RSA-PSS' ? 'PS' : 'RS') : 'HS'}${bits}` };
}

function exportPoint(key: CryptoKey): ArrayBuffer {
  const { x = '', y = '' } = jwkMaterial(key);
  const decodePart = (text: string): Buffer => Buffer.from(text, 'base64url' as BufferEncoding);
  return toArrayBuffer(Buffer.concat([Buffer.from([4]), decodePart(x), decodePart(y)]));
}
