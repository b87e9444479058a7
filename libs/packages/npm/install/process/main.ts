// The script of an installer process: does one job, answers, and is killed by the service, or ends with it.
import { setPriority } from 'node:os';
import { endWithParent } from '../../../../primitives/worker-pool/end-with-parent.ts';
import type { FromJobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { InstallJob, InstallResult } from '../install-protocol.ts';
import { guardConnections } from './guarded-connections.ts';
import { guardWrites } from './guarded-writes.ts';
import { fetchLimitResult } from './install-errors.ts';
import { install } from './install.ts';

/** A lower priority than that of running components. */
const niceness = 5;

const send = (message: FromJobProcess<InstallResult>): void => void process.send?.(message);

endWithParent(() => process.kill(process.pid, 'SIGKILL'));
process.once('message', (message) => {
  const job = message as InstallJob;
  const sendResult = (result: InstallResult): void => send({ type: 'ended', result });
  guardConnections(job.trusted, job.egressAllow);
  // The first answer ends this process.
  guardWrites(job.limits.fetchedBytes, () => sendResult(fetchLimitResult(job.limits)));
  void install(job).then(sendResult);
});

try {
  setPriority(niceness);
} catch {
  // If this is forbidden, installing keeps the default priority.
}
send({ type: 'ready' });
