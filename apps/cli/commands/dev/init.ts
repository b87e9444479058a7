// `pd init`: writes the file of a first component.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddCommand } from '../../session/command.ts';
import { usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';

interface InitOptions {
  readonly http?: boolean;
  readonly timer?: boolean;
  readonly db?: boolean;
}

const description = `Makes the folder NAME with the component NAME.mjs, for \`pd dev\` and \`pd deploy\`.

With neither --http nor --timer it has an endpoint.`;

export const addInit: AddCommand = (program, runner) => {
  program
    .command('init <name...>')
    .usage('[options] [source] <name>')
    .summary('write a component to begin with')
    .description(description)
    .option('--http', 'it has an endpoint, and runs for each request')
    .option('--timer', 'it runs every minute')
    .option('--db', 'it keeps something from run to run')
    .action(runner.run(init));
};

async function init({ out }: Session, options: InitOptions, words: readonly string[]): Promise<void> {
  const name = nameIn(words);
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw usageFailure(`"${name}" cannot be a name.`, 'It has small letters, digits and hyphens: order-events.');
  const path = join(name, `${name}.mjs`);
  if (existsSync(path)) throw usageFailure(`${path} is there already.`);
  await mkdir(name, { recursive: true });
  await writeFile(path, componentText(name, options), { flag: 'wx' });
  out.printResult({ path }, () => `${path}\n\nNext: pd dev ${path}`);
}

/** The name in `pd init orders` or `pd init source orders`. */
function nameIn(words: readonly string[]): string {
  const [kind = '', name = kind, ...others] = words;
  if (others.length > 0 || (words.length > 1 && kind !== 'source'))
    throw usageFailure(`It cannot begin "${words.join(' ')}".`, 'It begins sources: pd init source order-events.');
  return name;
}

export function componentText(name: string, { timer = false, db = false, http = !timer }: InitOptions): string {
  const props = [
    ...(http ? ["http: '$.interface.http',"] : []),
    ...(timer ? ["timer: { type: '$.interface.timer', default: { intervalSeconds: 60 } },"] : []),
    ...(db ? ["db: '$.service.db',"] : []),
  ];
  const counting = [
    "const count = (this.db.get('count') ?? 0) + 1;",
    "this.db.set('count', count);",
    "console.log('run number', count);",
  ];
  const run = [...(db ? counting : []), ...emitting({ http, timer })];
  return `// A source: each run emits an event. docs/components.md says what a component may have.
export default {
  key: '${name}',
  name: '${name}',
  version: '0.0.1',
  type: 'source',
  props: {
${props.map((line) => indented(indented(line))).join('\n')}
  },
  async run(event) {
${run.map((line) => indented(indented(line))).join('\n')}
  },
};
`;
}

const ofTick = ['this.$emit({ at: event.timestamp });'];
/** Emits more than the body of the request, because a first test request might have none. */
const ofRequest = [
  'const { method, path, query, body } = event;',
  'this.$emit({ method, path, query, body }, { summary: `${method} ${path}` });',
];

function emitting({ http, timer }: { readonly http: boolean; readonly timer: boolean }): readonly string[] {
  if (!http) return ofTick;
  if (!timer) return ofRequest;
  return [
    '// Only the timer gives a timestamp.',
    'if (event.timestamp !== undefined) {',
    ...ofTick.map(indented),
    '  return;',
    '}',
    ...ofRequest,
  ];
}

const indented = (line: string): string => `  ${line}`;
