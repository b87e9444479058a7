// When the hooks of an update begin to use the update's settings.
import type { Bundle } from '../../../packages/packages.ts';
import { FakeSandbox } from '../../../sandbox/sandbox.fake.ts';
import type { DescribeOptions, DescribeOutcome, Invocation, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { worldForEachTest } from '../testing/worlds.fake.ts';
import type { World } from '../testing/world.fake.ts';

let world: World;
const { begin, finished } = worldForEachTest((made) => (world = made));

const former = { revision: 0, codeRevision: 0, codeFrom: 0, configuredFrom: 0, hooks: [], http: null, timer: null };
const now = { memoryMb: 64, emitOnDeploy: true };
const brought = { memoryMb: 512, emitOnDeploy: false };

test.each([
  ['activate of another revision', 'activate', { swapped: 'swapped', other: former, active: true }, brought],
  ['activate of a source that was inactive', 'activate', { swapped: 'not_yet', other: null, active: true }, brought],
  ['activate after it was swapped back', 'activate', { swapped: 'back', other: former, active: true }, now],
  ['deactivate before the swap', 'deactivate', { swapped: 'not_yet', other: former, active: true }, now],
  ['deactivate alone', 'deactivate', { swapped: 'not_yet', other: null, active: false }, now],
] as const)('an update with settings: %s', async (...[, kind, update, expected]) => {
  const invoked: object[] = [];
  class Watched extends FakeSandbox {
    override invoke(invocation: Invocation): Promise<InvocationOutcome> {
      const { memoryMb, muted = false } = invocation;
      invoked.push({ memoryMb, emitOnDeploy: !muted });
      return super.invoke(invocation);
    }
  }
  await world.deploy('dc_a', { run: () => {}, hooks: { activate: () => {}, deactivate: () => {} }, settings: now });
  await begin({ sandbox: new Watched(world.components, world.ambient.now) });
  const changes = { name: null, refusal: null, settings: brought, ...update };
  await world.define('dc_a', { status: 'updating', update: changes });
  await world.trigger('dc_a', { kind });
  await finished(1);
  expect(invoked).toEqual([expected]);
});

test.each([
  ['a deploy', { status: 'deploying' }, 1, 64],
  ['an update that brings others', { update: { settings: brought } }, 2, 512],
  ['an update that brings none', { update: {} }, 2, 64],
] as const)('code is loaded with the memory of its source: %s', async (...[, changes, revision, expected]) => {
  const described: unknown[] = [];
  class Watched extends FakeSandbox {
    override describe(bundle: Bundle, manner: DescribeOptions = {}): Promise<DescribeOutcome> {
      described.push(manner.memoryMb);
      return super.describe(bundle);
    }
  }
  await world.deploy('dc_a', { settings: now });
  await begin({ sandbox: new Watched(world.components, world.ambient.now) });
  const next = { ...former, revision: 2, codeRevision: 1 };
  const updating = { name: null, refusal: null, swapped: 'not_yet', other: next, active: true };
  const update = 'update' in changes ? { status: 'updating', update: { ...updating, ...changes.update } } : changes;
  await world.define('dc_a', update);
  await world.trigger('dc_a', { kind: 'describe', revision });
  await finished(1);
  expect(described).toEqual([expected]);
});
