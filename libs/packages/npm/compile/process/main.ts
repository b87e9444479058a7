// A compiler process: takes one component at a time. It ends when the product or esbuild ends, and takes esbuild along.
import { setPriority } from 'node:os';
import { bundle } from '../../bundling/bundle.ts';
import { endWithParent } from '../../../../primitives/worker-pool/end-with-parent.ts';
import type { FromJobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { BundleJob, BundleResult } from '../../bundling/job.ts';

/** Compiling gives way to running components; esbuild inherits this. */
const niceness = 5;

/** This process leads the group that esbuild is in: the signal ends both. */
const die = (): void => void process.kill(-process.pid, 'SIGKILL');
const send = (message: FromJobProcess<BundleResult>): void => void process.send?.(message);

endWithParent(die);
process.on('message', (job) => {
  bundle(job as BundleJob).then((result) => send({ type: 'ended', result }), die);
});

try {
  setPriority(niceness);
} catch {
  // Where this is forbidden, compiling has the same priority as everything else.
}
send({ type: 'ready' });
