// If the machine's addresses cannot be read, every request fails, which is reported to the operator.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import type { IsolatedVmSandboxOptions } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';

const unreadable = (): never => {
  throw new Error('uv_interface_addresses returned Unknown system error 97');
};

async function troublesOf(options: Partial<IsolatedVmSandboxOptions>): Promise<readonly string[]> {
  const troubles: string[] = [];
  const onTrouble = (what: string): void => void troubles.push(what);
  const sandbox = await IsolatedVmSandbox.start({ runners: 2, cacheDir, ...options, onTrouble });
  await sandbox.close();
  return troubles;
}

test('a process that cannot read the addresses of its machine says once, at its start, that requests will fail', async () => {
  expect(await troublesOf({ interfaces: unreadable })).toEqual([
    expect.stringMatching(/^Every request of components fails\. .*error 97.*AF_NETLINK.*EGRESS_PROXY/),
  ]);
});

test('nothing is said where they can be read, or where a proxy makes the requests', async () => {
  expect(await troublesOf({})).toEqual([]);
  const proxy = { host: '127.0.0.1', port: 1 };
  expect(await troublesOf({ interfaces: unreadable, egress: { allow: [], proxy } })).toEqual([]);
});
