// Requests that mean harm: none reaches an address inside, and whoever makes too many has them refused one after the other.
import type { ComponentAttack, Ran } from '../attack.ts';
import { ran } from '../attack.ts';

const asks = (name: string, run: string, said: Ran): ComponentAttack => ran(`network: ${name}`, { run }, said);

const inside = ['169.254.169.254', '10.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '0.0.0.0', '167772161', '[fd00::1]'];

/** What each promise of `requests` rejects with, told as one event. */
const told = (requests: string): string => `
  const said = (error) => error.name + ': ' + error.message;
  this.$emit([...new Set(await Promise.all((${requests}).map((asked) => asked().then(() => 'answered', said))))].length > 0);`;

export const networks: readonly ComponentAttack[] = [
  ...inside.map((host) =>
    asks(`a request to ${host}`, `await fetch('http://${host}/');`, {
      run: 'failed',
      error: /TypeError: .*not public/,
    }),
  ),
  asks('10,000 requests at once', told("Array.from({ length: 10_000 }, () => () => fetch('http://10.0.0.1/'))"), {
    run: 'succeeded',
    events: [true],
  }),
  asks('requests that nobody awaits', "for (let at = 0; at < 1_000; at++) void fetch('http://10.0.0.1/');", {}),
  asks(
    'requests that are given up at once',
    `for (let at = 0; at < 1_000; at++) {
      const controller = new AbortController();
      fetch('http://10.0.0.1/', { method: 'POST', body: new Uint8Array(1e6), signal: controller.signal }).catch(() => {});
      controller.abort();
    }`,
    {},
  ),
  asks('a header of many lines', "await fetch('http://10.0.0.1/', { headers: { a: 'b\\r\\nhost: c' } });", {
    run: 'failed',
    error: /TypeError: .*header a/,
  }),
  asks('a header of a megabyte', "await fetch('http://10.0.0.1/', { headers: { a: 'b'.repeat(1e6) } });", {
    run: 'failed',
  }),
  asks('a body of 100 MB', "await fetch('http://10.0.0.1/', { method: 'POST', body: new Uint8Array(1e8) });", {
    run: 'failed',
  }),
  asks('another scheme', "await fetch('file:///etc/passwd');", { run: 'failed', error: /Only http and https/ }),
  asks('a tunnel', "await fetch('http://10.0.0.1/', { method: 'CONNECT' });", { run: 'failed' }),
];
