// Rejects code that is too large for the log.
import { programBytes } from '../../../../domain/component/program/program.ts';
import type { Program } from '../../../../domain/component/program/program.ts';
import { sizes } from '../../../../domain/sizes.ts';
import { tooLarge } from '../../http/api-problem.ts';

/** Throws ApiProblem 413. */
export function checkProgram(program: Program): void {
  if (programBytes(program) <= sizes.codeBytes) return;
  const subject = program.files === undefined ? "The component's code is" : "The component's files together are";
  throw tooLarge(`${subject} larger than ${sizes.codeBytes} bytes.`);
}
