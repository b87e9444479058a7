// The libraries that components use most have the same results in an isolate as in Node: each program runs in both.
import { jest } from '@jest/globals';
import { startUpstream } from '../../../../packages/platform/fixture/upstream.ts';
import type { Upstream } from '../../../../packages/platform/fixture/upstream.ts';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { clients } from './clients.ts';
import { inBoth } from './in-both.ts';
import { pure } from './pure.ts';

jest.setTimeout(60_000);

let upstream: Upstream;
let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  upstream = await startUpstream();
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress: { allow: ['127.0.0.0/8'] } });
});
afterAll(async () => {
  await sandbox.close();
  await upstream.close();
});

test.each(Object.entries({ ...clients, ...pure }))('%s', async (_name, program) => {
  const { node, component } = await inBoth(program, sandbox, upstream.origin);
  expect(node).toHaveProperty('event');
  expect(component).toEqual(node);
});
