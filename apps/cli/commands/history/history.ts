// `pd history`: what happened in the workspace.
import type { AddCommand } from '../../program/command.ts';
import { addExport } from './export.ts';

export const addHistory: AddCommand = (program, runner) => {
  const history = program.command('history').description('What happened in the workspace, as auditors read it.');
  addExport(history, runner);
};
