// crypto.subtle has the same results in components as in Node, as far as it is offered.
import { generateKeyPairSync } from 'node:crypto';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })), 30_000);
afterAll(() => sandbox?.close());

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const der = (key: { export(options: object): unknown }, type: string): string =>
  (key.export({ type, format: 'der' }) as Buffer).toString('base64');
const setup = `const { subtle } = globalThis.crypto; const bytes = (text) => new TextEncoder().encode(text); const b64 = (text) => Buffer.from(text, 'base64');
  const rsaPrivate = b64('${der(rsa.privateKey, 'pkcs8')}'), rsaPublic = b64('${der(rsa.publicKey, 'spki')}');
  const edPrivate = b64('${der(ed.privateKey, 'pkcs8')}'), edPublic = b64('${der(ed.publicKey, 'spki')}');
  const ecPrivate = b64('${der(ec.privateKey, 'pkcs8')}'), ecPublic = b64('${der(ec.publicKey, 'spki')}'); const ecJwk = ${JSON.stringify(ec.privateKey.export({ format: 'jwk' }))};
  const data = bytes('some data'); const all = (...calls) => Promise.all(calls.map(tried));
  const keyShown = (k) => [k.type, k.extractable, k.usages, { ...k.algorithm, publicExponent: shown(k.algorithm.publicExponent) }, String(k)];`;

test.each([
  [
    'digests',
    `return all(...['SHA-1', 'sha-256', { name: 'SHA-384' }, 'SHA-512', 'MD5'].map((name) => () => subtle.digest(name, data)), () => subtle.digest('SHA-256', 'text'));`,
  ],
  [
    'HMAC',
    `const hmac = { name: 'HMAC', hash: 'SHA-256' }; const key = await subtle.importKey('raw', bytes('key'), hmac, true, ['verify', 'sign']);
      const other = await subtle.importKey('jwk', { kty: 'oct', k: 'a2V5', alg: 'HS256' }, { name: 'hmac', hash: { name: 'SHA-256' } }, false, ['verify']);
      const signature = await subtle.sign('HMAC', key, data);
      return [shown(signature), await subtle.verify('HMAC', other, signature, data), await subtle.verify('HMAC', other, signature, bytes('x')), keyShown(key),
        await all(() => subtle.sign('HMAC', other, data), () => subtle.exportKey('raw', other), () => subtle.exportKey('raw', key), () => subtle.sign('RSASSA-PKCS1-v1_5', key, data),
          () => subtle.importKey('raw', bytes('key'), hmac, true, ['encrypt']), () => subtle.importKey('raw', bytes('key'), hmac, true, []), () => subtle.importKey('raw', bytes('key'), { name: 'HMAC', hash: 'MD5' }, true, ['sign'])),
        await subtle.exportKey('jwk', key), keyShown(await subtle.generateKey({ name: 'HMAC', hash: 'SHA-512' }, false, ['sign']))];`,
  ],
  [
    'AES',
    `const results = [];
      for (const name of ['AES-GCM', 'AES-CBC']) for (const size of [16, 24, 32]) {
        const key = await subtle.importKey('raw', new Uint8Array(size).fill(3), name, true, ['decrypt', 'encrypt']);
        const with_ = { name, iv: new Uint8Array(name === 'AES-GCM' ? 12 : 16).fill(1), ...(name === 'AES-GCM' ? { additionalData: bytes('more') } : {}) };
        const secret = await subtle.encrypt(with_, key, data);
        results.push(shown(secret), shown(await subtle.decrypt(with_, key, secret)), keyShown(key), await subtle.exportKey('jwk', key));
        results.push(await all(() => subtle.decrypt(with_, key, new Uint8Array(secret).fill(0, 3, 4)), () => subtle.decrypt(with_, key, new Uint8Array(3))));
        results.push(shown(await subtle.encrypt({ ...with_, tagLength: 96 }, key, data)));
      }
      return [results, await all(() => subtle.importKey('raw', new Uint8Array(5), 'AES-GCM', true, ['encrypt'])), keyShown(await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']))];`,
  ],
  [
    'keys from passwords',
    `const key = await subtle.importKey('raw', bytes('password'), 'PBKDF2', false, ['deriveKey', 'deriveBits']); const hk = await subtle.importKey('raw', bytes('password'), 'HKDF', false, ['deriveBits']);
      const pb = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes('salt'), iterations: 1000 };
      const made = await subtle.deriveKey(pb, key, { name: 'AES-GCM', length: 256 }, true, ['encrypt']); const mac = await subtle.deriveKey(pb, key, { name: 'HMAC', hash: 'SHA-1' }, true, ['sign']);
      return [shown(await subtle.deriveBits(pb, key, 256)), shown(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-512', salt: bytes(''), info: bytes('info') }, hk, 128)), shown(await subtle.exportKey('raw', made)),
        shown(await subtle.exportKey('raw', mac)), keyShown(key), await all(() => subtle.deriveBits(pb, hk, 128), () => subtle.exportKey('raw', key), () => subtle.deriveBits(pb, key, 5), () => subtle.importKey('raw', bytes('a'), 'PBKDF2', true, ['deriveBits']))];`,
  ],
  [
    'signatures by RSA',
    `const pkcs1 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }; const pss = { name: 'RSA-PSS', hash: 'SHA-256' };
      const priv = await subtle.importKey('pkcs8', rsaPrivate, pkcs1, true, ['sign']); const pub = await subtle.importKey('spki', rsaPublic, pkcs1, true, ['verify']);
      const signature = await subtle.sign(pkcs1.name, priv, data);
      const jwk = await subtle.exportKey('jwk', priv); const again = await subtle.importKey('jwk', jwk, pkcs1, false, ['sign']);
      const pssPriv = await subtle.importKey('pkcs8', rsaPrivate, pss, true, ['sign']); const pssPub = await subtle.importKey('jwk', await subtle.exportKey('jwk', pub).then(({ kty, n, e }) => ({ kty, n, e })), pss, true, ['verify']);
      const salted = await subtle.sign({ name: 'RSA-PSS', saltLength: 32 }, pssPriv, data);
      return [shown(signature), shown(await subtle.sign(pkcs1.name, again, data)), await subtle.verify(pkcs1.name, pub, signature, data), await subtle.verify(pkcs1.name, pub, signature, bytes('x')), jwk, keyShown(priv), keyShown(pub),
        await subtle.verify({ name: 'RSA-PSS', saltLength: 32 }, pssPub, salted, data), await subtle.verify({ name: 'RSA-PSS', saltLength: 20 }, pssPub, salted, data), shown(await subtle.exportKey('spki', pub)) === rsaPublic.toString('hex'), shown(await subtle.exportKey('pkcs8', priv)) === rsaPrivate.toString('hex'),
        await all(() => subtle.importKey('spki', bytes('none'), pkcs1, true, ['verify']), () => subtle.sign(pkcs1.name, pub, data), () => subtle.exportKey('raw', pub), () => subtle.importKey('spki', ecPublic, pkcs1, true, ['verify']))];`,
  ],
  [
    'signatures by ECDSA',
    `const p256 = { name: 'ECDSA', namedCurve: 'P-256' }; const how = { name: 'ECDSA', hash: 'SHA-256' };
      const priv = await subtle.importKey('pkcs8', ecPrivate, p256, true, ['sign']); const fromJwk = await subtle.importKey('jwk', ecJwk, p256, true, ['sign']); const pub = await subtle.importKey('spki', ecPublic, p256, true, ['verify']);
      const raw = await subtle.exportKey('raw', pub); const fromRaw = await subtle.importKey('raw', raw, p256, true, ['verify']); const signature = await subtle.sign(how, priv, data);
      const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign', 'verify']); const made = await subtle.sign({ name: 'ECDSA', hash: 'SHA-384' }, pair.privateKey, data);
      return [signature.byteLength, await subtle.verify(how, pub, signature, data), await subtle.verify(how, fromRaw, await subtle.sign(how, fromJwk, data), data), await subtle.verify(how, fromRaw, signature, bytes('x')), shown(raw), await subtle.exportKey('jwk', priv), keyShown(pub),
        made.byteLength, await subtle.verify({ name: 'ECDSA', hash: 'SHA-384' }, pair.publicKey, made, data), keyShown(pair.publicKey), keyShown(pair.privateKey),
        await all(() => subtle.importKey('spki', ecPublic, { name: 'ECDSA', namedCurve: 'P-384' }, true, ['verify']), () => subtle.exportKey('pkcs8', pair.privateKey))];`,
  ],
  [
    'signatures by Ed25519',
    `const priv = await subtle.importKey('pkcs8', edPrivate, 'Ed25519', true, ['sign']); const pub = await subtle.importKey('spki', edPublic, { name: 'ed25519' }, true, ['verify']);
      const signature = await subtle.sign('Ed25519', priv, data); const raw = await subtle.exportKey('raw', pub); const fromRaw = await subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      const pair = await subtle.generateKey('Ed25519', true, ['sign', 'verify']); const fromJwk = await subtle.importKey('jwk', await subtle.exportKey('jwk', priv), 'Ed25519', true, ['sign']);
      return [shown(signature), shown(await subtle.sign('Ed25519', fromJwk, data)), await subtle.verify('Ed25519', pub, signature, data), await subtle.verify('Ed25519', fromRaw, signature, bytes('x')), await subtle.verify('Ed25519', fromRaw, new Uint8Array(3), data), shown(raw),
        keyShown(priv), keyShown(pub), keyShown(pair.publicKey), keyShown(pair.privateKey), await subtle.verify('Ed25519', pair.publicKey, await subtle.sign('Ed25519', pair.privateKey, data), data), (({ d, ...jwk }) => jwk)(await subtle.exportKey('jwk', priv)),
        await all(() => subtle.importKey('raw', new Uint8Array(5), 'Ed25519', true, ['verify']), () => subtle.importKey('spki', ecPublic, 'Ed25519', true, ['verify']), () => subtle.sign('Ed25519', pub, data))];`,
  ],
  [
    'RSA-OAEP',
    `const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }; const priv = await subtle.importKey('pkcs8', rsaPrivate, oaep, true, ['decrypt']); const pub = await subtle.importKey('spki', rsaPublic, oaep, true, ['encrypt']);
      const secret = await subtle.encrypt('RSA-OAEP', pub, data); const labelled = await subtle.encrypt({ name: 'RSA-OAEP', label: bytes('label') }, pub, data);
      const pair = await subtle.generateKey({ ...oaep, modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, false, ['encrypt', 'decrypt']);
      return [shown(await subtle.decrypt('RSA-OAEP', priv, secret)), shown(await subtle.decrypt({ name: 'RSA-OAEP', label: bytes('label') }, priv, labelled)), keyShown(priv), keyShown(pub), keyShown(pair.publicKey), (await subtle.exportKey('jwk', pub)).alg,
        await all(() => subtle.decrypt('RSA-OAEP', priv, labelled), () => subtle.encrypt('RSA-OAEP', pub, new Uint8Array(300)), () => subtle.decrypt('RSA-OAEP', pub, secret))];`,
  ],
  [
    'pairs of keys and what is encrypted for them, by the functions of Node',
    `const crypto = require('crypto'); const results = [];
      for (const [kind, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['ed25519', {}]]) {
        const { publicKey, privateKey } = crypto.generateKeyPairSync(kind, options); const how = kind === 'ed25519' ? null : 'sha256';
        results.push(publicKey.type, privateKey.type, publicKey.asymmetricKeyType, crypto.verify(how, Buffer.from('x'), publicKey, crypto.sign(how, Buffer.from('x'), privateKey)));
      }
      const pem = crypto.generateKeyPairSync('rsa', { modulusLength: 1024, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'der' } });
      const { publicKey } = await require('util').promisify(crypto.generateKeyPair)('ec', { namedCurve: 'P-384' });
      const key = crypto.createPrivateKey({ key: rsaPrivate, format: 'der', type: 'pkcs8' }); const pub = crypto.createPublicKey({ key: rsaPublic, format: 'der', type: 'spki' });
      const wrapped = crypto.publicEncrypt({ key: pub, padding: crypto.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from('l') }, Buffer.from('session key'));
      return [results, pem.publicKey.slice(0, 26), Buffer.isBuffer(pem.privateKey), publicKey.type, String(crypto.privateDecrypt(key, crypto.publicEncrypt(pub, Buffer.from('plain')))),
        String(crypto.privateDecrypt({ key, oaepHash: 'sha256', oaepLabel: Buffer.from('l') }, wrapped)), (await tried(() => crypto.privateDecrypt(key, wrapped)))[0]];`,
  ],
])(
  '%s',
  async (_name, body) => {
    expect(await inComponent(sandbox, setup + body)).toEqual(await inNode(setup + body));
  },
  30_000,
);

test('RSA keys are generated up to a bound on their size', async () => {
  const body = `const rsa = (modulusLength) => crypto.subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign', 'verify']);
    const { privateKey, publicKey } = await rsa(1024);
    return [publicKey.algorithm.modulusLength, privateKey.type, await tried(() => rsa(3073)), await tried(() => crypto.subtle.generateKey('DSA', true, ['sign']))];`;
  expect(await inComponent(sandbox, body)).toEqual([
    1024,
    'private',
    ['RangeError', 'ERR_OUT_OF_RANGE'],
    ['NotSupportedError', 9],
  ]);
}, 30_000);
