// `pd audit`: what an auditor does with history, and an operator with the key that signs it.
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
