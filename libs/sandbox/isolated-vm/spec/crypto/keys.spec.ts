// Key agreement, certificates and the fields of a KeyObject are the same as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';
import { certificateKeyText, certificateText } from './certificate.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })), 30_000);
afterAll(() => sandbox?.close());

const setup = `const crypto = require('crypto'); const { subtle } = crypto.webcrypto; const pem = '${certificateText}'; const keyPem = '${certificateKeyText}';
  const jsonOf = (value) => JSON.stringify(value, (_, one) => typeof one === 'bigint' ? String(one) : one); const message = async (call) => { try { return await call(); } catch (error) { return [error.name, error.code, error.message]; } };
`;

test.each([
  [
    'ECDH',
    `const results = []; for (const curve of ['prime256v1', 'secp256k1', 'secp384r1', 'secp521r1']) {
      const alice = crypto.createECDH(curve); alice.setPrivateKey(Buffer.alloc(crypto.createECDH(curve).generateKeys().length >> 1, 1).subarray(0, 32)); const bob = crypto.createECDH(curve); bob.setPrivateKey('02'.repeat(31), 'hex');
      results.push(alice.getPublicKey('hex'), alice.getPublicKey('hex', 'compressed'), alice.getPublicKey('base64', 'hybrid'), alice.getPrivateKey('hex'), alice.computeSecret(bob.getPublicKey()).toString('hex'), bob.computeSecret(alice.getPublicKey('hex', 'compressed'), 'hex', 'base64'));
      const made = crypto.createECDH(curve); const own = made.generateKeys(); results.push(own.length, made.computeSecret(alice.getPublicKey()).equals(alice.computeSecret(own)), made.generateKeys('hex', 'compressed').length);
      results.push(crypto.ECDH.convertKey(alice.getPublicKey('hex', 'compressed'), curve, 'hex', 'hex', 'uncompressed') === alice.getPublicKey('hex')); }
    const ecdh = crypto.createECDH('prime256v1'); const other = crypto.createECDH('prime256v1');
    results.push(await message(() => ecdh.getPublicKey()), await message(() => ecdh.getPrivateKey()), await message(() => crypto.createECDH('none')), await message(() => ecdh.setPrivateKey(Buffer.alloc(32)))); other.generateKeys();
    results.push(await message(() => other.computeSecret(Buffer.alloc(65, 4))), await message(() => other.getPublicKey('hex', 'odd')), await message(() => crypto.ECDH.convertKey(Buffer.alloc(3), 'prime256v1')), crypto.getCurves().includes('secp256k1'), ecdh instanceof crypto.ECDH); return results;`,
  ],
  [
    'an agreement of two keys',
    `const results = []; for (const [kind, options] of [['ec', { namedCurve: 'P-256' }], ['ec', { namedCurve: 'secp521r1' }], ['x25519', {}], ['x448', {}]]) { const [a, b] = [crypto.generateKeyPairSync(kind, options), crypto.generateKeyPairSync(kind, options)];
      const one = crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }); results.push(one.length, one.equals(crypto.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey })), one.equals(await new Promise((done, fail) => crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }, (error, value) => error ? fail(error) : done(value))))); }
    return [results, crypto.generateKeyPairSync('ed448').publicKey.asymmetricKeyType];`,
  ],
  [
    'ECDH of the web',
    `const results = []; for (const algorithm of [{ name: 'ECDH', namedCurve: 'P-256' }, { name: 'ECDH', namedCurve: 'P-521' }, { name: 'X25519' }]) { const [a, b] = [await subtle.generateKey(algorithm, true, ['deriveBits', 'deriveKey']), await subtle.generateKey(algorithm, true, ['deriveBits'])];
      const raw = await subtle.exportKey('raw', b.publicKey); const again = await subtle.importKey('raw', raw, algorithm, true, []); const jwk = await subtle.exportKey('jwk', a.privateKey); const fromJwk = await subtle.importKey('jwk', jwk, algorithm, false, ['deriveBits']); const pkcs8 = await subtle.importKey('pkcs8', await subtle.exportKey('pkcs8', a.privateKey), algorithm, true, ['deriveBits']);
      const bits = (key, peer, length) => subtle.deriveBits({ name: algorithm.name, public: peer }, key, length); const secret = shown(await bits(a.privateKey, again, 256));
      results.push(secret === shown(await bits(b.privateKey, a.publicKey, 256)), secret === shown(await bits(fromJwk, again, 256)), secret === shown(await bits(pkcs8, again, 256)), (await bits(a.privateKey, again, null)).byteLength, (await bits(a.privateKey, again, 100)).byteLength, await tried(() => bits(a.privateKey, again, 10_000)), a.publicKey.usages, a.privateKey.usages, a.publicKey.algorithm, raw.byteLength, Object.keys(jwk).sort());
      const made = await subtle.deriveKey({ name: algorithm.name, public: again }, a.privateKey, { name: 'AES-GCM', length: 128 }, true, ['encrypt']); results.push(secret.startsWith(shown(await subtle.exportKey('raw', made))));
      const hk = await subtle.deriveKey({ name: algorithm.name, public: again }, a.privateKey, 'HKDF', false, ['deriveBits']); results.push((await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new Uint8Array() }, hk, 64)).byteLength, await tried(() => bits(a.privateKey, a.privateKey, 8)), await tried(() => subtle.importKey('raw', raw, algorithm, true, ['deriveBits']))); }
    return results;`,
  ],
  [
    'a certificate',
    `const one = new crypto.X509Certificate(pem); const key = crypto.createPrivateKey(keyPem); const other = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }); const names = ['subject', 'issuer', 'subjectAltName', 'infoAccess', 'validFrom', 'validTo', 'validFromDate', 'validToDate', 'serialNumber', 'keyUsage', 'ca', 'fingerprint', 'fingerprint256', 'fingerprint512', 'issuerCertificate'];
    const der = new crypto.X509Certificate(one.raw); return [names.map((name) => one[name] ?? null), one.toString() === der.toString(), String(one), one.toJSON(), one.checkHost('specs.example'), one.checkHost('a.more.example'), one.checkHost('a.more.example', { wildcards: false }) ?? 'none', one.checkHost('x.example') ?? 'none', one.checkEmail('a@specs.example'), one.checkIP('127.0.0.1'), one.checkIP('10.0.0.1') ?? 'none',
      one.checkIssued(der), one.checkPrivateKey(key), one.checkPrivateKey(other.privateKey), one.verify(one.publicKey), one.verify(other.publicKey), one.publicKey.asymmetricKeyDetails, one.publicKey.export({ type: 'spki', format: 'pem' }), one.raw.length, JSON.parse(jsonOf(one.toLegacyObject())), crypto.createPublicKey(pem).equals(one.publicKey), (await message(() => new crypto.X509Certificate('none'))).slice(0, 2), await tried(() => new crypto.X509Certificate(5)), await tried(() => one.verify('text')), await tried(() => one.verify(key))];`,
  ],
  [
    'what a key says of itself, and its forms',
    `const results = []; for (const [kind, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['ed25519', {}]]) { const { publicKey, privateKey } = crypto.generateKeyPairSync(kind, options);
      results.push(jsonOf(publicKey.asymmetricKeyDetails), jsonOf(privateKey.asymmetricKeyDetails), publicKey.equals(crypto.createPublicKey(privateKey)), publicKey.equals(privateKey), String(publicKey), crypto.createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).equals(publicKey));
      for (const type of ['pkcs1', 'sec1', 'pkcs8']) results.push(await tried(() => crypto.createPrivateKey({ key: privateKey.export({ type, format: 'der' }), type, format: 'der' }).equals(privateKey)) === true, String(await tried(() => privateKey.export({ type, format: 'pem' }))).slice(0, 30)); }
    const secret = crypto.createSecretKey(Buffer.from('abc')); results.push(secret.asymmetricKeyDetails ?? 'none', secret.equals(crypto.createSecretKey('abc', 'utf8')), crypto.generateKeySync('aes', { length: 192 }).symmetricKeySize, crypto.generateKeySync('hmac', { length: 100 }).symmetricKeySize, await tried(() => crypto.generateKeySync('aes', { length: 100 })), await new Promise((done) => crypto.generateKey('hmac', { length: 64 }, (error, key) => done(key.type))));
    const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }); results.push(String(crypto.publicDecrypt(rsa.publicKey, crypto.privateEncrypt(rsa.privateKey, Buffer.from('said')))), await new Promise((done) => crypto.hkdf('sha256', 'k', 's', 'i', 20, (error, key) => done(shown(key))))); return results;`,
  ],
])(
  '%s',
  async (_name, body) => {
    expect(await inComponent(sandbox, setup + body)).toEqual(await inNode(setup + body));
  },
  30_000,
);

test('keys, points and certificates are bounded, and groups of primes are refused', async () => {
  const body = `const crypto = require('crypto'); const ecdh = crypto.createECDH('prime256v1'); ecdh.generateKeys(); const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
    return [await tried(() => ecdh.computeSecret(Buffer.alloc(257))), await tried(() => new crypto.X509Certificate(Buffer.alloc(65_537))), await tried(() => crypto.diffieHellman({ privateKey, publicKey })), await tried(() => crypto.createDiffieHellman(2048)), await tried(() => crypto.generatePrimeSync(4096))];`;
  expect(await inComponent(sandbox, body)).toEqual([
    ['RangeError', 'ERR_OUT_OF_RANGE'],
    ['RangeError', 'ERR_OUT_OF_RANGE'],
    ['Error', null],
    ['Error', 'ERR_NOT_AVAILABLE'],
    ['Error', 'ERR_NOT_AVAILABLE'],
  ]);
}, 30_000);
