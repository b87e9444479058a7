// Misuse of crypto throws errors of the same class and code as in Node, and no key shows its contents.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

it.each([
  [
    'classes and codes of errors',
    `const c = require('crypto'); const key = Buffer.alloc(16); const results = [];
    for (const call of [() => c.createHash(), () => c.createHash(null), () => c.createHmac('nope', 'k'), () => c.createHmac(5, 'k'), () => c.pbkdf2Sync('p', 's', 1, 16), () => c.pbkdf2Sync('p', 's', 0, 16, 'sha1'), () => c.pbkdf2Sync('p', 's', 1.5, 16, 'sha1'),
      () => c.scryptSync('p', 's', 16, { N: 15 }), () => c.hkdfSync('nope', 'k', 's', 'i', 8), () => c.createCipheriv('aes-128-cbc', Buffer.alloc(15), key), () => c.createCipheriv('aes-128-cbc', key, Buffer.alloc(15)), () => c.createCipheriv('aes-128-cbc', key, null),
      () => c.generateKeyPairSync('ec', { namedCurve: 'nope' }), () => c.createECDH('nope'), () => c.randomBytes('5'), () => c.randomBytes(), () => c.randomBytes(-1), () => c.randomInt('a'), () => c.randomInt(5, 5), () => c.randomInt(2 ** 53), () => c.randomFillSync('x'),
      () => c.webcrypto.getRandomValues(new Float32Array(2)), () => c.webcrypto.getRandomValues(new Uint8Array(65_537)), () => c.webcrypto.getRandomValues([1]), () => c.createHash('md5').digest().length, () => c.randomBytes(1.5).length])
      results.push(await tried(call));
    return results;`,
  ],
  [
    'digests by options',
    `const c = require('crypto'); const mac = c.createHmac('md5', 'k'); mac.update('a');
    return [c.hash('sha1', 'a'), c.hash('sha1', 'a', 'base64'), c.hash('sha1', 'a', { outputEncoding: 'base64' }), c.hash('shake256', 'a', { outputLength: 4 }), c.createHmac('sha256', '6b', { encoding: 'hex' }).update('').digest('hex'),
      Buffer.from(c.hkdfSync('sha256', c.createSecretKey(Buffer.from('k')), 's', 'i', 8)).toString('hex'), mac.digest('hex'), mac.digest('hex'), mac.constructor.name, mac instanceof c.Hash, mac instanceof c.Hmac, typeof mac.copy, c.createHash('sha1').update('a').copy().digest('hex'), c.getFips(), c.constants.RSA_NO_PADDING];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});

it('no key or digest shows what it holds when it is printed or emitted', async () => {
  const body = `const c = require('crypto'); const held = [c.createSecretKey(Buffer.from('the secret')), c.createHmac('sha256', 'the secret'), c.generateKeyPairSync('ed25519').privateKey];
    console.log(held); this.$emit(held.map((one) => JSON.stringify(one)));`;
  const outcome = await invoke(sandbox, source(body));
  expect(outcome.end).toBe('finished');
  expect(JSON.stringify(outcome)).not.toMatch(/the secret|PRIVATE KEY|116,104,101|74 68 65/);
});
