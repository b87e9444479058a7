// Timers of timers/promises fire, repeat, and end when their signal aborts, as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const setup = `const timers = require('timers/promises'); const { promisify } = require('util');
  const aborting = (ms) => { const controller = new AbortController(); setTimeout(() => controller.abort('enough'), ms); return controller.signal; };
  const failed = (error) => [error.name, error.code, error.message, error.cause];\n`;

it.each([
  ['a timeout with its value', `return await timers.setTimeout(2, 'value');`],
  ['an immediate with its value', `return await timers.setImmediate('value');`],
  [
    'a timeout that is aborted',
    `return await timers.setTimeout(60_000, 'late', { signal: aborting(5) }).catch(failed);`,
  ],
  [
    'one whose signal has aborted',
    `return await timers.setTimeout(1, 'late', { signal: AbortSignal.abort('before') }).catch(failed);`,
  ],
  [
    'a promisified one that is aborted',
    `return await promisify(setTimeout)(60_000, 'late', { signal: aborting(5) }).catch(failed);`,
  ],
  ['a wait that is aborted', `return await timers.scheduler.wait(60_000, { signal: aborting(5) }).catch(failed);`],
  ['a yield', `return [await timers.scheduler.yield() === undefined];`],
  [
    'an interval until it is left',
    `const got = []; for await (const value of timers.setInterval(2, 'tick')) if (got.push(value) === 3) break; return got;`,
  ],
  [
    'an interval until it is aborted',
    `const got = []; try { for await (const value of timers.setInterval(1, 'tick', { signal: aborting(40) })) got.push(value); } catch (error) { return [got.length > 1, ...failed(error)]; }`,
  ],
  [
    'a signal that is none',
    `return await timers.setTimeout(1, 'late', { signal: {} }).catch((error) => [error.name, error.code]);`,
  ],
  ['every name', `return Object.keys(timers).sort();`],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, setup + body)).toEqual(await inNode(setup + body));
});
