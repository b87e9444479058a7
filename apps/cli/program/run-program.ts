// One call of `pd`, from its arguments to its exit code.
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { complete, completionCommand } from '../completion/complete.ts';
import type { Action, Runner } from '../session/command.ts';
import { explain } from '../failures/explain.ts';
import { exitCodes } from '../failures/failure.ts';
import { plainLine } from '../output/plain-text.ts';
import { program } from './program.ts';
import { Session } from '../session/session.ts';
import type { GlobalOptions, Surroundings } from '../session/session.ts';

export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const call = new Call(surroundings);
  try {
    // Words to be completed are no command yet: the parser would take offence.
    if (argv[0] === completionCommand)
      return await complete(program(call, surroundings.io, false), argv.slice(1), surroundings);
    const pd = program(call, surroundings.io, surroundings.environment.color);
    if (argv.length === 0) pd.outputHelp();
    else if (argv[0] === 'help' && !argv.some((word) => word.startsWith('-')))
      commandOf(pd, argv.slice(1)).outputHelp();
    else await pd.parseAsync(argv, { from: 'user' });
    return call.exitCode;
  } catch (error) {
    // What is wrong with the arguments, and help that was asked for, the parser has said already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return report(error, call.session ?? new Session(surroundings, {}));
  }
}

/** The parser's own help knows commands of the first level alone. Throws its error for what is no command. */
function commandOf(pd: Command, words: readonly string[]): Command {
  let command = pd;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return command.error(`error: unknown command '${plainLine(word)}'`);
    command = next;
  }
  return command;
}

class Call implements Runner {
  readonly #surroundings: Surroundings;
  session: Session | undefined;
  exitCode: number = exitCodes.done;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  run<Options, Args extends readonly unknown[]>(action: Action<Options, Args>) {
    return async (...given: [...Args, Options, Command]): Promise<void> => {
      const command = given.at(-1) as Command;
      const args = given.slice(0, -2) as unknown as Args;
      const options = command.optsWithGlobals<Options & GlobalOptions>();
      this.session = new Session(this.#surroundings, options);
      this.exitCode = (await action(this.session, options, ...args)) ?? exitCodes.done;
    };
  }
}

function report(error: unknown, { out }: Session): number {
  const { message, details, hint, exitCode } = explain(error);
  if (exitCode === exitCodes.interrupted) return exitCode;
  out.error(message);
  for (const detail of details) out.note(`  ${detail.replaceAll('\n', '\n  ')}`);
  if (hint !== undefined) out.note(hint);
  return exitCode;
}
