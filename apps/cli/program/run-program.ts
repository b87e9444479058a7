// Runs one call of `pd`, from its arguments to its exit code.
import { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { complete, completionCommand } from '../completion/complete.ts';
import type { Action, Runner } from '../session/command.ts';
import { explain, toErrorJson } from '../failures/explain.ts';
import { exitCodes, usageFailure } from '../failures/failure.ts';
import { plainLine } from '../output/plain-text.ts';
import { program } from './program.ts';
import { Session } from '../session/session.ts';
import type { GlobalOptions, Surroundings } from '../session/session.ts';

export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const call = new ProgramCall(surroundings);
  const { environment } = surroundings;
  const isJson = asksForJson(argv);
  try {
    // The parser would refuse the words of a command that is still being typed.
    if (argv[0] === completionCommand)
      return await complete(program(call, surroundings.io, false), argv.slice(1), surroundings);
    const pd = program(
      call,
      isJson ? { ...surroundings.io, stderr: discardingStream() } : surroundings.io,
      environment.color,
    );
    if (argv.length === 0) pd.outputHelp();
    else if (argv[0] === 'help' && !argv.some((word) => word.startsWith('-')))
      commandOf(pd, argv.slice(1)).outputHelp();
    else await pd.parseAsync(argv, { from: 'user' });
    return call.exitCode;
  } catch (error) {
    // The parser has already printed the help that was asked for.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const session = call.session ?? new Session(surroundings, { json: isJson });
    if (!(error instanceof CommanderError)) return reportError(error, session);
    // The parser has already printed what is wrong with the arguments, but not as JSON.
    if (isJson) session.out.printFailure(toErrorJson(usageFailure(usageMessageOf(error))));
    return exitCodes.usage;
  }
}

/** Whether `--json` is given: the parser reports errors before it has read this option. */
export const asksForJson = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json');

/** Finds a command for `pd help`; the parser's own help knows only the first level. Throws its error for others. */
function commandOf(pd: Command, words: readonly string[]): Command {
  let command = pd;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) return command.error(`error: unknown command '${plainLine(word)}'`);
    command = next;
  }
  return command;
}

const usageMessageOf = ({ code, message }: CommanderError): string =>
  code === 'commander.help' ? 'Name a command.' : message.replace(/^error: /, '');

const discardingStream = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

class ProgramCall implements Runner {
  readonly #surroundings: Surroundings;
  session: Session | undefined;
  exitCode: number = exitCodes.done;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  run<Options, Args extends readonly unknown[]>(action: Action<Options, Args>) {
    return async (...params: [...Args, Options, Command]): Promise<void> => {
      const command = params.at(-1) as Command;
      const args = params.slice(0, -2) as unknown as Args;
      const options = command.optsWithGlobals<Options & GlobalOptions>();
      this.session = new Session(this.#surroundings, options);
      this.exitCode = (await action(this.session, options, ...args)) ?? exitCodes.done;
    };
  }
}

function reportError(error: unknown, { out }: Session): number {
  const { message, details, hint, exitCode } = explain(error);
  if (exitCode === exitCodes.interrupted) return exitCode;
  if (out.json) {
    out.printFailure(toErrorJson(error));
    return exitCode;
  }
  out.printError(message);
  for (const detail of details) out.note(`  ${detail.replaceAll('\n', '\n  ')}`);
  if (hint !== undefined) out.note(hint);
  return exitCode;
}
