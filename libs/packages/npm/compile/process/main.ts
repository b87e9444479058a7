// The script of a compiler process: compiles one component at a time, and ends, with its esbuild, if the product ends.
import { setPriority } from 'node:os';
import { bundle } from '../../bundling/bundle.ts';
import { endWithParent } from '../../../../primitives/worker-pool/end-with-parent.ts';
import type { FromJobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { BundleJob, BundleResult } from '../../bundling/job.ts';

/** A lower priority than that of running components; esbuild inherits it. */
const niceness = 5;

/** This process leads the group that esbuild is in, so the signal ends both. */
const die = (): void => void process.kill(-process.pid, 'SIGKILL');
const send = (message: FromJobProcess<BundleResult>): void => void process.send?.(message);

endWithParent(die);
process.on('message', (job) => {
  bundle(job as BundleJob).then((result) => send({ type: 'ended', result }), die);
});

try {
  setPriority(niceness);
} catch {
  // If this is forbidden, compiling keeps the default priority.
}
send({ type: 'ready' });
