// `pd audit`: the commands of auditors for history, and of operators for the key that signs it.
import type { AddCommand } from '../../session/command.ts';
import { addChangeKey } from './change-key.ts';
import { addVerify } from './verify.ts';

export const addAudit: AddCommand = (program, runner) => {
  const audit = program
    .command('audit')
    .summary('verify history, and change the key that signs it')
    .description('Verifies history without trusting the service, and changes the key that signs it.');
  addVerify(audit, runner);
  addChangeKey(audit, runner);
};
