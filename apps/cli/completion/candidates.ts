// Finds the completions of the typed words from the definitions of the commands.
import type { Command, Option } from 'commander';

export interface Candidates {
  readonly words: readonly string[];
  /** Names of sources and webhooks must be requested from the service. */
  readonly wantsSources: boolean;
  readonly wantsWebhooks: boolean;
}

const onlyWords = (words: readonly string[]): Candidates => ({ words, wantsSources: false, wantsWebhooks: false });

/** The placeholder in the help, such as `<source>`, says what a value names. */
const candidatesForValue = (valueName: string | undefined, words: readonly string[]): Candidates => ({
  words,
  wantsSources: /^(?:source|listener|subject)$/.test(valueName ?? ''),
  wantsWebhooks: /^(?:webhook|listener|subject)$/.test(valueName ?? ''),
});

/** `words` are those after `pd`; the last is being typed and may be empty. */
export function findCandidates(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? '';
  // `pd help` takes only names of commands.
  const isHelp = words.length > 1 && words[0] === 'help';
  const { command, argumentCount, pending } = positionOf(program, words.slice(isHelp ? 1 : 0, -1));
  if (pending !== undefined)
    return candidatesForValue(/<([\w-]+)>/.exec(pending.flags)?.[1], withPrefix(pending.argChoices ?? [], typed));
  if (typed.startsWith('-')) return onlyWords(withPrefix(optionsOf(command), typed));
  const subcommands = argumentCount === 0 ? command.commands.filter(isShown).map((one) => one.name()) : [];
  if (isHelp) return onlyWords(withPrefix(subcommands, typed));
  const argument = command.registeredArguments[argumentCount];
  const help = command === program ? ['help'] : [];
  return candidatesForValue(
    argument?.name(),
    withPrefix([...subcommands, ...help, ...(argument?.argChoices ?? [])], typed),
  );
}

interface CommandPosition {
  readonly command: Command;
  /** How many of the command's arguments are already given. */
  readonly argumentCount: number;
  /** The option whose value comes next. */
  readonly pending: Option | undefined;
}

function positionOf(program: Command, words: readonly string[]): CommandPosition {
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

const withPrefix = (words: readonly string[], typed: string): readonly string[] =>
  words.filter((word) => word.startsWith(typed));
