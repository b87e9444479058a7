// The isolates keep the port's contract.
import { describeSandbox } from '../sandbox.contract.ts';
import { cacheDir } from './spec/harness.ts';
import { IsolatedVmSandbox } from './isolated-vm-sandbox.ts';

describeSandbox('IsolatedVmSandbox', () => IsolatedVmSandbox.start({ runners: 1, cacheDir }));
