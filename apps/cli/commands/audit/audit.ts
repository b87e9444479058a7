// `pd audit`: what an auditor does with history, without trusting the service.
import type { AddCommand } from '../../program/command.ts';
import { addVerify } from './verify.ts';

export const addAudit: AddCommand = (program, runner) => {
  const audit = program.command('audit').description('Verifies history without trusting the service.');
  addVerify(audit, runner);
};
