// An installer process: takes one job, answers, and is ended by the service. It ends with the service too.
import { setPriority } from 'node:os';
import type { FromJobProcess } from '../../../../primitives/worker-pool/job-process.ts';
import type { InstallJob, InstallResult } from '../install-protocol.ts';
import { guardConnections } from './guarded-connections.ts';
import { install } from './install.ts';

/** Installing gives way to running components. */
const niceness = 5;

const send = (message: FromJobProcess<InstallResult>): void => void process.send?.(message);

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (message) => {
  const job = message as InstallJob;
  guardConnections(job.trusted, job.egressAllow);
  void install(job).then((result) => send({ type: 'ended', result }));
});

try {
  setPriority(niceness);
} catch {
  // Where this is forbidden, installing has the same priority as everything else.
}
send({ type: 'ready' });
