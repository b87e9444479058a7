// Types of a command's definition, from which the parser, the help, completion and docs/cli.md are made.
import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Runs a command with its parsed options and arguments. Returns the exit code; absent: 0. */
export type Action<Options, Args extends readonly unknown[]> = (
  session: Session,
  options: Options,
  ...args: Args
) => Promise<number | void>;

/** Binds an action to the session of the call, which exists only once the options are read. */
export interface Runner {
  run<Options, Args extends readonly unknown[]>(
    action: Action<Options, Args>,
  ): (...params: [...Args, Options, Command]) => Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, runner: Runner) => void;
