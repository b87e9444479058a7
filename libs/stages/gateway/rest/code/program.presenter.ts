// The text of a component as the API shows it, in fields that can be sent again.
import type { Program } from '../../../../domain/component/program/program.ts';

export interface ProgramFields {
  /** The text of the entry file. */
  readonly code: string;
  readonly entry: string | null;
  /** All files by path; null: it is one text without a path. */
  readonly files: Readonly<Record<string, string>> | null;
}

export const presentProgram = ({ code, entry, files }: Program): ProgramFields => ({
  code,
  entry: entry ?? null,
  files: entry === undefined ? null : { [entry]: code, ...files },
});
