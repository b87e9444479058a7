// What records about sources have in common, with every optional field.
import { bundleSamples } from '../../component/bundle/samples.fake.ts';

export const sealed = { $sealed: 'AAAA' };
export const madeBy = { key: 'wh_0', fingerprint: 'f', answeredAt: 1 };
export const console = [{ level: 'log', text: 't', at: 1 }] as const;
export const error = { name: 'Error', message: 'm', stack: 's', line: 1, column: 2 };
export const problems = [{ prop: 'p', message: 'm' }];
export const refusal = { reason: 'hook_failed', message: 'm', error, problems } as const;
export const settings = { timeoutMs: 1_000, memoryMb: 128, rateLimit: 1, concurrency: 2 };
/** The other files of a component's program. */
export const otherFiles = { entry: 'a.mjs', files: { 'lib/b.mjs': 'b' }, ...bundleSamples.locked };
