// The fake keeps the port's contract.
import { fakeBundle } from '../packages/packages.fake.ts';
import { FakeEnd, FakeSandbox } from './sandbox.fake.ts';
import { describeSandbox } from './sandbox.contract.ts';
import { manifestOf } from './contract/harness.ts';

describeSandbox('FakeSandbox', async (components) => {
  const sandbox = new FakeSandbox(new Map(components.map(({ code, scripted }) => [code, scripted])));
  return { sandbox, bundleOf: async (code) => fakeBundle(code) };
});

describe('FakeSandbox', () => {
  it('ends an invocation as scripted, keeps its output, and ends the others of its source as lost', async () => {
    const scripted = {
      manifest: manifestOf('a'),
      run: async (call: Parameters<NonNullable<import('./sandbox.fake.ts').FakeComponent['run']>>[0]) => {
        call.emit({ event: 1 });
        if (call.event === 'wait') await new Promise(() => {});
        throw new FakeEnd('timed_out');
      },
    };
    const sandbox = new FakeSandbox(new Map([['code', scripted]]));
    const bundle = async () => fakeBundle('code');
    const order = { sourceId: 'dc_1', revision: 1, bundle, what: 'run', props: {}, db: () => ({}) } as const;
    const waiting = sandbox.invoke({ ...order, event: 'wait', onRespond: () => {} });
    const culprit = sandbox.invoke({ ...order, event: 'end', onRespond: () => {} });
    expect(await culprit).toMatchObject({ end: 'timed_out', emits: [{ event: 1 }] });
    expect(await waiting).toMatchObject({ end: 'lost', emits: [] });
  });
});
