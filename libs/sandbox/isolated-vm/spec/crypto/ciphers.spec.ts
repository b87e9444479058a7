// Ciphers output the same pieces as in Node, and the web's ciphers have the modes that packages use.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })), 30_000);
afterAll(() => sandbox?.close());

const setup = `const crypto = require('crypto'); const { subtle } = crypto.webcrypto; const fill = (size, value) => Buffer.alloc(size, value);
  const keyBytes = { 'chacha20-poly1305': 32, 'des-ede3-cbc': 24 }; const ivBytes = (name) => name === 'des-ede3-cbc' ? 8 : name.includes('gcm') || name.includes('chacha') ? 12 : name.includes('ecb') ? null : 16;
  const made = (name, direction, tag) => { const iv = ivBytes(name); const key = fill(keyBytes[name] ?? Number(name.split('-')[1]) / 8, 'k');
    const one = crypto[direction](name, key, iv === null ? null : fill(iv, 0xff), name.includes('chacha') ? { authTagLength: 16 } : undefined); if (tag) one.setAuthTag(tag); return one; };
  const bytes = (text) => new TextEncoder().encode(text);
`;

test.each([
  [
    'each piece gives what it gives in Node',
    `const results = []; const pieces = ['', 'a', 'bc', 'é'.repeat(20), 'x'.repeat(16), 'y'.repeat(15), 'z'.repeat(70)].map((text) => Buffer.from(text));
    for (const name of ['aes-128-ctr', 'aes-256-ctr', 'aes-192-cbc', 'aes-256-cbc', 'aes-128-ecb', 'aes-256-gcm', 'chacha20-poly1305']) {
      const cipher = made(name, 'createCipheriv'); const out = [...pieces.map((piece) => cipher.update(piece)), cipher.final()]; const tag = /gcm|chacha/.test(name) ? cipher.getAuthTag() : undefined;
      const decipher = made(name, 'createDecipheriv', tag); results.push(name, out.map(shown), tag && shown(tag), [...out.map((piece) => decipher.update(piece)), decipher.final()].map(shown));
    } return results;`,
  ],
  [
    'texts are cut at whole characters',
    `const results = []; for (const name of ['aes-256-ctr', 'aes-256-cbc', 'aes-256-gcm']) for (const to of ['base64', 'base64url', 'hex', 'latin1']) {
      const cipher = made(name, 'createCipheriv'); const out = [cipher.update('€uro and ünïcode', 'utf8', to), cipher.update('616263', 'hex', to), cipher.final(to)]; results.push(out);
      const all = out.join(''); if (to.startsWith('base64')) continue; const decipher = made(name, 'createDecipheriv', name.includes('gcm') ? cipher.getAuthTag() : undefined); const step = to === 'hex' ? 2 : 1; const texts = [];
      for (let at = 0; at < all.length; at += 3 * step) texts.push(decipher.update(all.slice(at, at + 3 * step), to, 'utf8')); results.push(texts, decipher.final('utf8'));
    } return results;`,
  ],
  [
    'many short pieces are quick, and the same in total',
    `const results = []; for (const name of ['aes-128-ctr', 'aes-256-cbc', 'aes-256-gcm', 'chacha20-poly1305']) { const cipher = made(name, 'createCipheriv'); const out = []; for (let count = 0; count < 5_000; count++) out.push(cipher.update('piece ' + count)); out.push(cipher.update(fill(3_000, 'l')), cipher.update('end'), cipher.final());
      const all = Buffer.concat(out); const decipher = made(name, 'createDecipheriv', /gcm|chacha/.test(name) ? cipher.getAuthTag() : undefined); const back = []; for (let at = 0; at < all.length; at += 17) back.push(decipher.update(all.subarray(at, at + 17))); back.push(decipher.final());
      results.push(crypto.createHash('sha256').update(all).digest('hex'), String(Buffer.concat(back)).slice(-20), Buffer.concat(back).length); } return results;`,
  ],
  [
    'padding, and what is refused',
    `const results = []; for (const name of ['aes-256-cbc', 'aes-128-ecb']) {
      const plain = made(name, 'createCipheriv'); plain.setAutoPadding(false); const out = [plain.update(fill(20, 1)), plain.update(fill(12, 2)), plain.final()].map(shown); results.push(out);
      const open = made(name, 'createDecipheriv'); open.setAutoPadding(false); results.push(shown(open.update(Buffer.from(out.join(''), 'hex'))), shown(open.final()));
      results.push(await tried(() => { const c = made(name, 'createCipheriv'); c.setAutoPadding(false); c.update('short'); return c.final(); }), await tried(() => { const d = made(name, 'createDecipheriv'); d.update(fill(16, 3)); return d.final(); }), await tried(() => made(name, 'createDecipheriv').final()));
    }
    const used = made('aes-256-ctr', 'createCipheriv'); used.update('a'); used.final(); results.push((await tried(() => used.update('b')))[0], (await tried(() => used.final()))[0], (await tried(() => made('aes-256-gcm', 'createCipheriv').getAuthTag()))[0]);
    const forged = made('aes-256-gcm', 'createDecipheriv', fill(16, 0)); forged.update('text'); results.push((await tried(() => forged.final()))[0]); return results;`,
  ],
  [
    'a counter that overflows, and a stream',
    `const { pipeline } = require('stream/promises'); const { Readable } = require('stream'); const data = fill(100, 'd'); const results = [];
    for (const iv of [fill(16, 0xff), Buffer.concat([fill(12, 1), fill(4, 0xff)])]) { const cipher = crypto.createCipheriv('aes-128-ctr', fill(16, 1), iv); results.push(shown(Buffer.concat([cipher.update(data.subarray(0, 33)), cipher.update(data.subarray(33)), cipher.final()]))); }
    for (const name of ['aes-256-cbc', 'aes-256-ctr', 'aes-256-gcm', 'des-ede3-cbc']) { const out = []; await pipeline(Readable.from([data, data]), made(name, 'createCipheriv'), async (parts) => { for await (const part of parts) out.push(part); }); results.push(shown(Buffer.concat(out))); }
    const { nid: _, ...info } = crypto.getCipherInfo('aes-256-ctr'); return [results, info, crypto.getCipherInfo('none') ?? 'none', made('aes-256-ctr', 'createCipheriv') instanceof crypto.Cipheriv];`,
  ],
  [
    'AES-CTR of the web',
    `const results = []; for (const size of [16, 24, 32]) { const key = await subtle.importKey('raw', fill(size, 3), 'AES-CTR', true, ['encrypt', 'decrypt']); const data = fill(100, 'd');
      for (const [counter, length] of [[fill(16, 1), 64], [fill(16, 0xff), 128], [fill(16, 0xff), 32], [Buffer.concat([fill(15, 7), fill(1, 0xfe)]), 8]]) { const how = { name: 'AES-CTR', counter, length }; const secret = await subtle.encrypt(how, key, data); results.push(shown(secret), shown(await subtle.decrypt(how, key, secret))); }
      results.push(await tried(() => subtle.encrypt({ name: 'AES-CTR', counter: fill(16, 0), length: 2 }, key, data)), await tried(() => subtle.encrypt({ name: 'AES-CTR', counter: fill(3, 0), length: 2 }, key, data)), await tried(() => subtle.encrypt({ name: 'AES-CTR', counter: fill(16, 0), length: 0 }, key, data)), (await subtle.exportKey('jwk', key)).alg); }
    return results;`,
  ],
  [
    'wrapped keys',
    `const results = []; const aes = await subtle.importKey('raw', fill(32, 4), { name: 'AES-GCM' }, true, ['encrypt', 'decrypt']); const hmac = await subtle.importKey('raw', fill(24, 5), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
    for (const size of [16, 24, 32]) { const kw = await subtle.importKey('raw', fill(size, 6), 'AES-KW', true, ['wrapKey', 'unwrapKey']); const secret = await subtle.wrapKey('raw', aes, kw, 'AES-KW'); results.push(shown(secret), shown(await subtle.wrapKey('raw', hmac, kw, { name: 'AES-KW' })));
      const back = await subtle.unwrapKey('raw', secret, kw, 'AES-KW', 'AES-GCM', true, ['encrypt']); results.push(shown(await subtle.exportKey('raw', back)), (await subtle.exportKey('jwk', kw)).alg, await tried(() => subtle.unwrapKey('raw', Buffer.from(secret).fill(1, 0, 2), kw, 'AES-KW', 'AES-GCM', true, ['encrypt'])), await tried(() => subtle.encrypt('AES-KW', kw, fill(16, 1)))); }
    for (const how of [{ name: 'AES-GCM', iv: fill(12, 1) }, { name: 'AES-CBC', iv: fill(16, 1) }, { name: 'AES-CTR', counter: fill(16, 1), length: 64 }]) { const key = await subtle.importKey('raw', fill(32, 6), how.name, false, ['wrapKey', 'unwrapKey']); const secret = await subtle.wrapKey('jwk', hmac, key, how);
      const back = await subtle.unwrapKey('jwk', secret, key, how, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']); results.push((await subtle.exportKey('jwk', back)).k, await tried(() => subtle.encrypt(how, key, fill(1, 1)))); }
    const pair = await subtle.generateKey({ name: 'RSA-OAEP', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['wrapKey', 'unwrapKey']); const rsa = await subtle.wrapKey('raw', aes, pair.publicKey, 'RSA-OAEP');
    results.push(shown(await subtle.exportKey('raw', await subtle.unwrapKey('raw', rsa, pair.privateKey, 'RSA-OAEP', 'AES-GCM', true, ['decrypt']))), await tried(() => subtle.importKey('raw', fill(16, 1), 'AES-KW', true, ['encrypt'])), (await subtle.generateKey({ name: 'AES-KW', length: 192 }, true, ['wrapKey'])).algorithm); return results;`,
  ],
])(
  '%s',
  async (_name, body) => {
    expect(await inComponent(sandbox, setup + body)).toEqual(await inNode(setup + body));
  },
  30_000,
);
