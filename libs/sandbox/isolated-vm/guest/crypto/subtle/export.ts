// exportKey of crypto.subtle, for every format.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { bare } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { digestOf, isAes, isDerived, isOfOneCurve, isRsa, refused } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';

export function exportKey(format: unknown, key: unknown): unknown {
  CryptoKey.materialOf(key);
  const exported = key as CryptoKey;
  if (isDerived(exported.algorithm.name)) throw notAs(exported, format);
  if (!exported.extractable) throw refused('InvalidAccessError', 'key is not extractable');
  if (format === 'jwk') return { ...bareJwk(exported), key_ops: [...exported.usages], ext: true, ...namedIn(exported) };
  const { type } = exported;
  if (format === 'raw' && type === 'secret') return bare(CryptoKey.bytesOf(exported));
  const { name } = exported.algorithm;
  const isPoint = format === 'raw' && type === 'public';
  if (isPoint && (name === 'ECDSA' || name === 'ECDH')) return point(exported);
  if (isPoint && isOfOneCurve(name))
    return bare(Buffer.from(bareJwk(exported)['x'] ?? '', 'base64url' as BufferEncoding));
  if ((format === 'spki' && type === 'public') || (format === 'pkcs8' && type === 'private'))
    return ask('keyExport', type, keyText(CryptoKey.pemOf(exported)), format);
  throw notAs(exported, format);
}

const notAs = ({ type, algorithm }: CryptoKey, format: unknown): unknown =>
  refused('NotSupportedError', `A ${type} ${algorithm.name} key cannot be exported as ${String(format)}`);

function bareJwk(key: CryptoKey): Readonly<Record<string, string>> {
  if (key.type === 'secret') return { kty: 'oct', k: CryptoKey.bytesOf(key).toString('base64url' as BufferEncoding) };
  const text = ask('keyExport', key.type, keyText(CryptoKey.pemOf(key)), 'jwk');
  return JSON.parse(String(text)) as Record<string, string>;
}

function namedIn({ algorithm }: CryptoKey): { readonly alg?: string } {
  const { name } = algorithm;
  if (name === 'ECDSA' || name === 'ECDH' || name === 'X25519') return {};
  if (name === 'Ed25519') return { alg: name };
  if (isAes(name)) return { alg: `A${String(algorithm['length'])}${name.slice(4)}` };
  const bits = digestOf(algorithm['hash']).name.slice(4);
  if (name === 'RSA-OAEP') return { alg: bits === '1' ? name : `${name}-${bits}` };
  return { alg: `${isRsa(name) ? (name === 'RSA-PSS' ? 'PS' : 'RS') : 'HS'}${bits}` };
}

function point(key: CryptoKey): ArrayBuffer {
  const { x = '', y = '' } = bareJwk(key);
  const part = (text: string): Buffer => Buffer.from(text, 'base64url' as BufferEncoding);
  return bare(Buffer.concat([Buffer.from([4]), part(x), part(y)]));
}
