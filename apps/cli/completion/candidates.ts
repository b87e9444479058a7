// What may stand where somebody presses Tab, told by the commands themselves.
import type { Command, Option } from 'commander';

export interface Candidates {
  readonly words: readonly string[];
  /** Names of sources are asked for at the service. */
  readonly wantsSources: boolean;
}

/** `words` are those after `pd`; the last is being typed and may be empty. */
export function candidates(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  const { command, argumentCount, pending } = placeOf(program, words.slice(0, -1));
  if (pending !== undefined)
    return { words: starting(pending.argChoices ?? [], typed), wantsSources: pending.long === '--dc' };
  if (typed.startsWith('-')) return { words: starting(optionsOf(command), typed), wantsSources: false };
  const subcommands = argumentCount === 0 ? command.commands.filter(isShown).map((one) => one.name()) : [];
  const argument = command.registeredArguments[argumentCount];
  return {
    words: starting([...subcommands, ...(argument?.argChoices ?? [])], typed),
    wantsSources: argument?.name() === 'source',
  };
}

interface Place {
  readonly command: Command;
  /** How many of its arguments are there already. */
  readonly argumentCount: number;
  /** An option whose value comes next. */
  readonly pending: Option | undefined;
}

function placeOf(program: Command, words: readonly string[]): Place {
  let command = program;
  let argumentCount = 0;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
    } else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(
        ({ short, long }) => word === short || word === long,
      );
      pending = option?.required === true ? option : undefined;
    } else {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next === undefined) argumentCount++;
      else [command, argumentCount] = [next, 0];
    }
  }
  return { command, argumentCount, pending };
}

const isShown = (command: Command): boolean => !command.name().startsWith('_');

function optionsOf(command: Command): readonly string[] {
  const own = command.options.map(({ long }) => long);
  const inherited = command.parent === null ? [] : ['--profile', '--json'];
  return [...own, ...inherited, '--help'].flatMap((name) => name ?? []);
}

const starting = (words: readonly string[], typed: string): readonly string[] =>
  words.filter((word) => word.startsWith(typed));
