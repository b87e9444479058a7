// Hostile requests and answers: none reaches a private address, each has a time limit, and too many are refused.
import type { ComponentAttack, Ran } from '../attack.ts';
import { ran } from '../attack.ts';
import { upstreamHost } from '../upstream.ts';

const asks = (name: string, run: string, said: Ran): ComponentAttack => ran(`network: ${name}`, { run }, said);

const inside = ['169.254.169.254', '10.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '0.0.0.0', '167772161', '[fd00::1]'];

/** Code that emits the outcomes of `requests` that `wanted` does not match: an empty list if all is well. */
const others = (requests: string, wanted: RegExp): string => `
  const said = (error) => error.name + ': ' + error.message;
  const all = new Set(await Promise.all((${requests}).map((asked) => asked().then(() => 'answered', said))));
  this.$emit([...all].filter((one) => !${String(wanted)}.test(one)));`;

/** Code that requests a path of the hostile server, and reads the whole answer. */
const reads = (path: string): string => `await (await fetch('http://${upstreamHost}${path}')).text();`;

/** An answer that never ends. It takes the limit of 30 s, so it is first, and others run meanwhile. */
const drips = asks('an answer that drips forever', reads('/drip'), {
  run: 'failed',
  error: /no whole answer within 30 s/,
});

const answers: readonly ComponentAttack[] = [
  asks('an answer that never ends', reads('/endless'), {
    run: 'failed',
    error: /TypeError: .*more than 10485760 bytes/,
  }),
  asks('an answer that grows a thousandfold when it is unpacked', reads('/bomb'), {
    run: 'failed',
    error: /more than 10485760 bytes/,
  }),
  asks('a redirect to itself', reads('/loop'), { run: 'failed', error: /TypeError: .*redirect/ }),
  asks('redirects to ever longer addresses', reads('/longer'), { run: 'failed', error: /TypeError: .*redirect/ }),
  asks('a redirect to the metadata service', reads('/metadata'), { run: 'failed', error: /TypeError: .*not public/ }),
  asks('a redirect to a mapped private address', reads('/mapped'), { run: 'failed', error: /TypeError: .*not public/ }),
  asks('a redirect to a file', reads('/file'), { run: 'failed', error: /TypeError: / }),
  asks('an answer with a field of a megabyte', reads('/many-fields'), { run: 'failed', error: /TypeError: / }),
  asks('an answer that is cut', reads('/cut'), { run: 'failed', error: /TypeError: / }),
  asks(
    'a run that ends while its requests have no answer',
    `for (let at = 0; at < 32; at++) void fetch('http://${upstreamHost}/silent').catch(() => {});`,
    {
      run: 'succeeded',
    },
  ),
  asks(
    '10,000 requests that are answered',
    others(`Array.from({ length: 10_000 }, () => () => fetch('http://${upstreamHost}/'))`, /^answered$/),
    {
      events: [[]],
    },
  ),
  asks(
    'answers that nobody reads',
    `for (let at = 0; at < 40; at++) await fetch('http://${upstreamHost}/endless').catch(() => {});`,
    {},
  ),
];

export const networks: readonly ComponentAttack[] = [
  drips,
  ...answers,
  ...inside.map((host) =>
    asks(`a request to ${host}`, `await fetch('http://${host}/');`, {
      run: 'failed',
      error: /TypeError: .*not public/,
    }),
  ),
  asks(
    '10,000 requests at once',
    others("Array.from({ length: 10_000 }, () => () => fetch('http://10.0.0.1/'))", /^TypeError: .*not public/),
    { run: 'succeeded', events: [[]] },
  ),
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
