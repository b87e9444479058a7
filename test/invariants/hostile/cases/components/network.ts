// Hostile requests and answers: none reaches a private address, each has a time limit, and too many are refused.
import type { ComponentAttack, ExpectedRun } from '../attack.ts';
import { runAttack } from '../attack.ts';
import { upstreamHost } from '../upstream.ts';

const networkAttack = (name: string, run: string, said: ExpectedRun): ComponentAttack =>
  runAttack(`network: ${name}`, { run }, said);

const inside = ['169.254.169.254', '10.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '0.0.0.0', '167772161', '[fd00::1]'];

/** Code that emits the outcomes of `requests` that `wanted` does not match: an empty list if all is well. */
const neighbourRequests = (requests: string, wanted: RegExp): string => `
  const said = (error) => error.name + ': ' + error.message;
  const all = new Set(await Promise.all((${requests}).map((asked) => asked().then(() => 'answered', said))));
  this.$emit([...all].filter((one) => !${String(wanted)}.test(one)));`;

/** Code that requests a path of the hostile server, and reads the whole answer. */
const readUpstream = (path: string): string => `await (await fetch('http://${upstreamHost}${path}')).text();`;

/** An answer that never ends. It takes the limit of 30 s, so it is first, and others run meanwhile. */
const drips = networkAttack('an answer that drips forever', readUpstream('/drip'), {
  run: 'failed',
  error: /no whole answer within 30 s/,
});

const answers: readonly ComponentAttack[] = [
  networkAttack('an answer that never ends', readUpstream('/endless'), {
    run: 'failed',
    error: /TypeError: .*more than 10485760 bytes/,
  }),
  networkAttack('an answer that grows a thousandfold when it is unpacked', readUpstream('/bomb'), {
    run: 'failed',
    error: /more than 10485760 bytes/,
  }),
  networkAttack('a redirect to itself', readUpstream('/loop'), { run: 'failed', error: /TypeError: .*redirect/ }),
  networkAttack('redirects to ever longer addresses', readUpstream('/longer'), {
    run: 'failed',
    error: /TypeError: .*redirect/,
  }),
  networkAttack('a redirect to the metadata service', readUpstream('/metadata'), {
    run: 'failed',
    error: /TypeError: .*not public/,
  }),
  networkAttack('a redirect to a mapped private address', readUpstream('/mapped'), {
    run: 'failed',
    error: /TypeError: .*not public/,
  }),
  networkAttack('a redirect to a file', readUpstream('/file'), { run: 'failed', error: /TypeError: / }),
  networkAttack('an answer with a field of a megabyte', readUpstream('/many-fields'), {
    run: 'failed',
    error: /TypeError: /,
  }),
  networkAttack('an answer that is cut', readUpstream('/cut'), { run: 'failed', error: /TypeError: / }),
  networkAttack(
    'a run that ends while its requests have no answer',
    `for (let at = 0; at < 32; at++) void fetch('http://${upstreamHost}/silent').catch(() => {});`,
    {
      run: 'succeeded',
    },
  ),
  networkAttack(
    '10,000 requests that are answered',
    neighbourRequests(`Array.from({ length: 10_000 }, () => () => fetch('http://${upstreamHost}/'))`, /^answered$/),
    {
      events: [[]],
    },
  ),
  networkAttack(
    'answers that nobody reads',
    `for (let at = 0; at < 40; at++) await fetch('http://${upstreamHost}/endless').catch(() => {});`,
    {},
  ),
];

export const networks: readonly ComponentAttack[] = [
  drips,
  ...answers,
  ...inside.map((host) =>
    networkAttack(`a request to ${host}`, `await fetch('http://${host}/');`, {
      run: 'failed',
      error: /TypeError: .*not public/,
    }),
  ),
  networkAttack(
    '10,000 requests at once',
    neighbourRequests(
      "Array.from({ length: 10_000 }, () => () => fetch('http://10.0.0.1/'))",
      /^TypeError: .*not public/,
    ),
    { run: 'succeeded', events: [[]] },
  ),
  networkAttack(
    'requests that nobody awaits',
    "for (let at = 0; at < 1_000; at++) void fetch('http://10.0.0.1/');",
    {},
  ),
  networkAttack(
    'requests that are given up at once',
    `for (let at = 0; at < 1_000; at++) {
      const controller = new AbortController();
      fetch('http://10.0.0.1/', { method: 'POST', body: new Uint8Array(1e6), signal: controller.signal }).catch(() => {});
      controller.abort();
    }`,
    {},
  ),
  networkAttack('a header of many lines', "await fetch('http://10.0.0.1/', { headers: { a: 'b\\r\\nhost: c' } });", {
    run: 'failed',
    error: /TypeError: .*header a/,
  }),
  networkAttack('a header of a megabyte', "await fetch('http://10.0.0.1/', { headers: { a: 'b'.repeat(1e6) } });", {
    run: 'failed',
  }),
  networkAttack('a body of 100 MB', "await fetch('http://10.0.0.1/', { method: 'POST', body: new Uint8Array(1e8) });", {
    run: 'failed',
  }),
  networkAttack('another scheme', "await fetch('file:///etc/passwd');", {
    run: 'failed',
    error: /Only http and https/,
  }),
  networkAttack('a tunnel', "await fetch('http://10.0.0.1/', { method: 'CONNECT' });", { run: 'failed' }),
];
