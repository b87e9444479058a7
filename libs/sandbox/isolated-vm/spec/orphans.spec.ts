// No runner outlives the product, however that ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from './harness.ts';

const sandboxUrl = new URL('../isolated-vm-sandbox.ts', import.meta.url).href;

/** A product that does nothing but run one component that never ends. */
const product = `
  import { IsolatedVmSandbox } from ${JSON.stringify(sandboxUrl)};
  const sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir: ${JSON.stringify(cacheDir)} });
  const code = 'export default { name: "a", version: "1", props: { http: "$.interface.http" }, async run() { this.http.respond({}); await new Promise(() => {}); } }';
  const onRespond = () => console.log(JSON.stringify(sandbox.processIds));
  sandbox.invoke({ sourceId: 'a', revision: 1, code, what: 'run', event: {}, props: {}, db: () => ({}), onRespond });
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('ends its runners with it when it is killed', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', product], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const pids = JSON.parse(text) as number[];
  expect(pids.map(isAlive)).toEqual([true, true]);
  child.kill('SIGKILL');
  while (pids.some(isAlive)) await sleep(5);
}, 20_000);
