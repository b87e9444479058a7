// The isolates keep the port's contract.
import { describeSandbox } from '../sandbox.contract.ts';
import { cacheDir } from './spec/harness.ts';
import { IsolatedVmSandbox } from './isolated-vm-sandbox.ts';

/** Time must not end what the suite means to kill its process, on a busy machine either. */
const limits = { sliceMs: 10_000 };

describeSandbox('IsolatedVmSandbox', () => IsolatedVmSandbox.start({ runners: 1, cacheDir, limits }));
