// An installer process: takes one job, answers, and is ended by the service. It ends with the service too.
import { setPriority } from 'node:os';
import { endWithParent } from '../../../../primitives/worker-pool/end-with-parent.ts';
import type { FromJobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { InstallJob, InstallResult } from '../install-protocol.ts';
import { guardConnections } from './guarded-connections.ts';
import { guardWrites } from './guarded-writes.ts';
import { tooMuchFetched } from './install-errors.ts';
import { install } from './install.ts';

/** Installing gives way to running components. */
const niceness = 5;

const send = (message: FromJobProcess<InstallResult>): void => void process.send?.(message);

endWithParent(() => process.kill(process.pid, 'SIGKILL'));
process.once('message', (message) => {
  const job = message as InstallJob;
  const answer = (result: InstallResult): void => send({ type: 'ended', result });
  guardConnections(job.trusted, job.egressAllow);
  // The first answer counts, and ends this process.
  guardWrites(job.limits.fetchedBytes, () => answer(tooMuchFetched(job.limits)));
  void install(job).then(answer);
});

try {
  setPriority(niceness);
} catch {
  // Where this is forbidden, installing has the same priority as everything else.
}
send({ type: 'ready' });
