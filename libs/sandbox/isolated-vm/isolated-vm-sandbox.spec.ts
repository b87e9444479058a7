// The isolates keep the port's contract.
import { describeSandbox } from '../sandbox.contract.ts';
import { bundleOf, cacheDir } from './spec/harness.ts';
import { IsolatedVmSandbox } from './isolated-vm-sandbox.ts';

/** Long enough that components meant to kill their process do so before the limit, on a busy machine too. */
const limits = { sliceMs: 10_000 };

describeSandbox('IsolatedVmSandbox', async () => {
  return { sandbox: await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits }), bundleOf };
});
