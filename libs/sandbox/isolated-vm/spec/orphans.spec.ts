// No runner and no compiler outlives the product, however the product ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const packagesUrl = new URL('../../../packages/npm/npm-packages.ts', import.meta.url).href;
const sandboxUrl = new URL('../isolated-vm-sandbox.ts', import.meta.url).href;

/** A product that only builds and runs one component, which never ends. */
const product = (cacheDir: string): string => `
  import { NpmPackages } from ${JSON.stringify(packagesUrl)};
  import { IsolatedVmSandbox } from ${JSON.stringify(sandboxUrl)};
  const packages = new NpmPackages({ cacheDir: ${JSON.stringify(cacheDir)} });
  const sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir: ${JSON.stringify(cacheDir)} });
  const code = 'export default { name: "a", version: "1", props: { http: "$.interface.http" }, async run() { this.http.respond({}); await new Promise(() => {}); } }';
  const onRespond = () => console.log(JSON.stringify([sandbox.processIds, packages.processIds]));
  const bundle = async () => (await packages.build({ code })).bundle;
  sandbox.invoke({ sourceId: 'a', revision: 1, bundle, what: 'run', event: {}, props: {}, db: () => ({}), onRespond });
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process and those it started; on Linux only. */
async function groupOf(leader: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(group) === leader && state !== 'Z') found.push(Number(name));
  }
  return found;
}

it('ends its runners, its compiler and esbuild when it is killed', async () => {
  // An empty cache, so that a compiler is needed.
  const cacheDir = await mkdtemp(join(tmpdir(), 'orphans-'));
  const child = spawn(process.execPath, ['--input-type=module', '-e', product(cacheDir)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const [runners, compilers] = JSON.parse(text) as [number[], number[]];
  expect(runners.map(isAlive)).toEqual([true, true]);
  const [leader = 0, ...others] = compilers;
  expect(others).toEqual([]);
  const group = await groupOf(leader);
  expect(group.length).toBe(2);
  child.kill('SIGKILL');
  while ([...runners, ...group].some(isAlive)) await sleep(5);
  await rm(cacheDir, { recursive: true });
}, 20_000);
