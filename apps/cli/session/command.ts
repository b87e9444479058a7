// A command as it is written down once: for the parser, the help, completion and docs/cli.md.
import type { Command } from 'commander';
import type { Session } from './session.ts';

/** What a command does, once its options and arguments are read. Gives the exit code; absent: 0. */
export type Action<Options, Args extends readonly unknown[]> = (
  session: Session,
  options: Options,
  ...args: Args
) => Promise<number | void>;

/** Binds an action to the session of the call, which exists only when the options are read. */
export interface Runner {
  run<Options, Args extends readonly unknown[]>(
    action: Action<Options, Args>,
  ): (...given: [...Args, Options, Command]) => Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, runner: Runner) => void;
