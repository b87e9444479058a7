// Makes docs/cli.md from the definitions of the commands of `pd`.
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import prettier from 'prettier';
import { environmentVariables } from '../../../apps/cli/config/environment.ts';
import { exitCodeMeanings, exitCodes, failureCodes } from '../../../apps/cli/failures/failure.ts';
import { program } from '../../../apps/cli/program/program.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const pagePath = 'docs/cli.md';

/** The page in the working tree. */
export const committedPage = (): string => read(pagePath);

/** The page as it should be, formatted by prettier. */
export async function cliPage(): Promise<string> {
  const stream = new PassThrough();
  const io = { stdin: stream, stdout: stream, stderr: stream };
  const pd = program({ run: () => async () => undefined }, io, false);
  const { prettier: style } = JSON.parse(read('package.json')) as { readonly prettier: object };
  return prettier.format([pageOpening(pd), ...pd.commands.map((one) => section(one, '##')), pageEnding].join('\n\n'), {
    ...style,
    parser: 'markdown',
  });
}

const pageOpening = (pd: Command): string => `<!-- Made from the commands by \`npm run commands\`. -->

# pd

${pd.description()}

In a clone of the repository \`npx pd\` runs it, after \`npm run build\` or a first \`npm start\`. For other machines with Node 20.12 or later, \`npm run pack:pd\` makes a package: \`npm install -g wellspring-pd-VERSION.tgz\`.

\`pd login\` saves the address and the key of a service. Wherever a command takes a source or a webhook, give its id or its name. An exact name goes before a slug, and what could mean several is refused; where a name is also that of another source, or its slug, \`pd list sources\` shows the slug in brackets. Results go to stdout, everything else to stderr. A narrow terminal gets the most needed columns of a table: ids, slugs, times and states are never cut. Data is sent only to the service. What is only read is asked for again, up to three times, when the service answers 429, or 503 with \`Retry-After\`, and asks for 5 seconds at most.

${optionTable('Every command takes', pd.options)}

${pd.commands.map((one) => `- [\`pd ${one.name()}\`](#pd-${one.name()}): ${one.summary() || one.description()}`).join('\n')}`;

const pageEnding = `## Environment

| variable | means |
| --- | --- |
${Object.entries(environmentVariables)
  .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  .join('\n')}

## Exit codes

| code | means |
| --- | --- |
${Object.entries(exitCodes)
  .map(([name, code]) => `| ${code} | ${exitCodeMeanings[name as keyof typeof exitCodes]} |`)
  .join('\n')}

With \`--json\` a command that fails ends stderr with one line, \`{ "error": "...", "code": "...", "details": ..., "hint": "..." }\`, the last two where there is something. Where the service refused, \`code\` and \`details\` are [those of the API](api.md#answers), and \`no_answer\` where it did not answer; else \`code\` is ${Object.values(
  failureCodes,
)
  .map((code) => `\`${code}\``)
  .join(', ')}.`;

function section(command: Command, level: string): string {
  const path = pathOf(command);
  const parts = [
    `${level} ${path}`,
    paragraphs(command.description()),
    ...(isGroup(command) ? [] : [`\`${[path, command.usage()].join(' ')}\``]),
    ...(command.alias() === undefined
      ? []
      : [`Also \`${[...path.split(' ').slice(0, -1), command.alias()].join(' ')}\`.`]),
    ...argumentList(command.registeredArguments),
    ...(command.options.length === 0 ? [] : [optionTable('', command.options)]),
    ...command.commands.map((one) => section(one, `${level}#`)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whether it only groups commands, and does nothing itself. */
const isGroup = ({ commands, registeredArguments }: Command): boolean =>
  commands.length > 0 && registeredArguments.length === 0;

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Indented lines are code. */
const paragraphs = (text: string): string =>
  text.replaceAll(
    /(?:^ {4}.*\n?|^\n(?= {4}))+/gm,
    (code) => `\n\`\`\`text\n${code.replaceAll(/^ {4}/gm, '').trim()}\n\`\`\`\n`,
  );

function argumentList(all: readonly Argument[]): readonly string[] {
  const described = all.filter(({ description }) => description !== '');
  return described.length === 0
    ? []
    : [described.map((one) => `- \`${one.name()}\`: ${one.description}${choicesText(one.argChoices)}`).join('\n')];
}

const optionTable = (title: string, options: readonly Option[]): string =>
  [
    ...(title === '' ? [] : [`${title}`, '']),
    '| option | means |',
    '| --- | --- |',
    ...options.map(
      (one) => `| \`${one.flags}\` | ${one.description}${choicesText(one.argChoices)}${defaultText(one)} |`,
    ),
  ].join('\n');

const choicesText = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : `: ${values.map((value) => `\`${value}\``).join(', ')}`;

const defaultText = ({ defaultValue }: Option): string =>
  defaultValue === undefined ? '' : `; ${String(defaultValue)} by default`;
