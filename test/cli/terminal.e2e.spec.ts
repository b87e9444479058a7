// `pd` at a terminal, where it prompts, and commands that keep running while files are edited or the service is killed.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { createClient } from '../../libs/client/index.ts';
import type { Client, EventSummary, Run, Source } from '../../libs/client/index.ts';
import { Product } from '../support/product.ts';
import { Receiver, verify } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { RunningCommand, pd, pdPath } from './running/pd.ts';
import type { CommandOptions } from './running/pd.ts';
import { keys, Terminal } from './running/terminal.ts';

/** Several calls in sequence, each in a process of its own, on a busy machine. */
jest.setTimeout(120_000);

let product: Product;
let client: Client;
let dir: string;
let commandOptions: CommandOptions;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pd-'));
  product = await Product.start();
  const apiKey = await product.apiKey();
  client = createClient({ baseUrl: product.baseUrl, apiKey });
  commandOptions = { env: { XDG_CONFIG_HOME: dir, HOME: dir, PD_URL: product.baseUrl, PD_API_KEY: apiKey }, cwd: dir };
}, 60_000);
afterAll(async () => {
  await product.remove();
  await rm(dir, { recursive: true });
});

const counter = `export default { name: 'Counter', version: '1',
  run({ from, to }) { for (let n = from; n < to; n++) this.$emit({ n }); } };`;

const numbers = (events: readonly EventSummary[]): readonly unknown[] =>
  events.map(({ event }) => (event as { n: number }).n);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

test('login offers the key of the service on this machine and never prints it', async () => {
  const env = { XDG_CONFIG_HOME: join(dir, 'fresh'), HOME: dir, DATA_DIR: product.dataDir };
  const terminal = new Terminal(['login'], { env, cwd: dir });
  await terminal.waitForText(/URL of the service/);
  terminal.type(`${product.baseUrl}${keys.enter}`);
  await terminal.waitForText(/Use the key of the service on this machine/);
  terminal.type(keys.enter);
  await terminal.waitForText(/Logged in as owner/);
  expect([await terminal.exitCode(), terminal.text.includes(await product.apiKey())]).toEqual([0, false]);
  expect((await pd(['whoami'], { env })).code).toBe(0);
});

test('deploy prompts for missing props by label, prints no secret, and then shows events', async () => {
  const props = `{
    repository: { type: 'string', label: 'Repository', description: 'owner and name' },
    minimum: { type: 'integer', min: 2 },
    token: { type: 'string', secret: true, label: 'Access token' },
    kind: { type: 'string', options: ['push', { label: 'Pull request', value: 'pr' }] },
    other: { type: 'string', optional: true },
  }`;
  await writeFile(
    join(dir, 'asking.mjs'),
    `export default { name: 'Asking', version: '1', props: ${props}, run() { this.$emit({ kind: this.kind }); } };`,
  );
  const terminal = new Terminal(['deploy', 'asking.mjs'], commandOptions);
  await terminal.waitForText(/Repository: owner and name/);
  terminal.type(`acme/site${keys.enter}`);
  await terminal.waitForText(/minimum/);
  terminal.type(`1${keys.enter}`);
  await terminal.waitForText(/It must be 2 or more/);
  terminal.type(`${keys.erase}3${keys.enter}`);
  await terminal.waitForText(/Access token/);
  terminal.type(`open-sesame${keys.enter}`);
  await terminal.waitForText(/kind[^]*Pull request/);
  terminal.type(`${keys.down}${keys.enter}`);
  await terminal.waitForText(/Deploy complete[^]*prop repository: "acme\/site"[^]*prop kind: "pr"/);
  await terminal.waitForText(/Waiting for events/);
  await pd(['run', 'asking'], commandOptions);
  await terminal.waitForText(/"kind": "pr"/);
  terminal.type(keys.interrupt);
  expect([await terminal.exitCode(), terminal.text.includes('open-sesame')]).toEqual([130, false]);
  const rest = ['repository=a', 'minimum=2', 'token=x', 'kind=push'].flatMap((prop) => ['--prop', prop]);
  const all = new Terminal(['deploy', 'asking.mjs', '-d', '--name', 'All', '--prompt-all', ...rest], commandOptions);
  await all.waitForText(/other/);
  all.type(`more${keys.enter}`);
  await all.waitForText(/Deploy complete[^]*prop other: "more"/);
  expect(await all.exitCode()).toBe(0);
  const abandoned = new Terminal(['deploy', 'asking.mjs'], commandOptions);
  await abandoned.waitForText(/Repository/);
  abandoned.type(keys.interrupt);
  expect(await abandoned.exitCode()).toBe(130);
  expect((await client.sources({ limit: 100 })).data.filter(({ name }) => name === 'Asking')).toHaveLength(1);
});

test('a question that is left by Ctrl-D ends as by Ctrl-C, with the cursor shown again', async () => {
  const { id } = await client.deploySource({ kind: 'channel', name: 'Stays' });
  for (const [args, question] of [
    [['delete', id], /Delete the source Stays/],
    [['deploy', 'asking.mjs'], /Repository/],
    [['list'], /Which|What/],
  ] as const) {
    const terminal = new Terminal(args, commandOptions);
    await terminal.waitForText(question);
    terminal.type(keys.end);
    expect([args, await terminal.exitCode(), terminal.isCursorShown]).toEqual([args, 130, true]);
  }
  expect((await client.source(id)).name).toBe('Stays');
});

test('deploy offers options that the component computes, and prompts for props that depend on a choice', async () => {
  const code = `export default { name: 'Chosen', version: '1', props: {
    board: { type: 'string', label: 'Board', async options({ page, prevContext: { of = 'none' } }) {
      return page > 1 ? [] : { options: [{ label: 'Board ' + page + ' after ' + of, value: 'b' + page }], context: { of: page } };
    }, reloadProps: true },
    seen: { type: 'data_store', label: 'Seen' },
  }, async additionalProps() { return this.board === undefined ? {} : { list: { type: 'string', label: 'List of ' + this.board } }; },
  run() { this.$emit(this.list); } };`;
  await writeFile(join(dir, 'chosen.mjs'), code);
  const terminal = new Terminal(['deploy', 'chosen.mjs', '-d'], commandOptions);
  await terminal.waitForText(/Board 0 after none/);
  terminal.type(`${keys.down}${keys.enter}`);
  await terminal.waitForText(/Board 1 after 0/);
  terminal.type(keys.enter);
  await terminal.waitForText(/Seen[^]*A new one/);
  terminal.type(keys.enter);
  await terminal.waitForText(/Its name/);
  terminal.type(`Cards${keys.enter}`);
  await terminal.waitForText(/List of b1/);
  terminal.type(`todo${keys.enter}`);
  await terminal.waitForText(/Deploy complete[^]*prop board: "b1"[^]*prop list: "todo"/);
  expect(await terminal.exitCode()).toBe(0);
  expect((await client.dataStores.list()).data).toMatchObject([{ name: 'Cards', keys: 0 }]);
});

test('dev updates on each save, shows events, logs and syntax errors, and can delete the source at the end', async () => {
  const file = join(dir, 'work.mjs');
  const save = (run: string): Promise<void> =>
    writeFile(file, `export default { name: 'Work', version: '1',\n  run() { ${run} } };\n`);
  const run = (): Promise<unknown> => pd(['run', 'work', '-d'], commandOptions);
  await save('oops(');
  const terminal = new Terminal(['dev', 'work.mjs'], commandOptions);
  await terminal.waitForText(/error: work\.mjs:2:\d+: [^]*SyntaxError[^]*Waiting for the next save/);
  await save("console.log('edit one'); this.$emit({ edit: 1 });");
  await terminal.waitForText(/Deploy complete[^]*Watching work\.mjs/);
  await run();
  await terminal.waitForText(/edit one|"edit": 1/);
  await terminal.waitForText(/edit one|"edit": 1/);
  for (const edit of [2, 3]) {
    await save(`this.$emit({ edit: ${edit} });`);
    await terminal.waitForText(/Updated in/);
    await run();
    await terminal.waitForText(new RegExp(`"edit": ${edit}`));
  }
  await save('const = 4;');
  await terminal.waitForText(/error: work\.mjs:2:\d+:/);
  await save("throw new RangeError('edit five');");
  await terminal.waitForText(/Updated in/);
  await run();
  await terminal.waitForText(/RangeError: edit five \(line 2/);
  terminal.type(keys.interrupt);
  await terminal.waitForText(/What becomes of the source\?/);
  terminal.type(`${keys.down}${keys.down}${keys.enter}`);
  await terminal.waitForText(/was deleted/);
  expect(await terminal.exitCode()).toBe(130);
  expect((await pd(['describe', 'work'], commandOptions)).code).toBe(4);
});

test('dev can update an existing source, and without a terminal leaves it deployed at the end', async () => {
  const { id } = await client.deploySource({ component_code: counter, name: 'Taken over' });
  const file = join(dir, 'taken.mjs');
  await writeFile(file, counter.replace("version: '1'", "version: '2'"));
  const dev = new RunningCommand(['dev', 'taken.mjs', '--dc', 'taken-over', '--json'], commandOptions);
  await dev.waitForStderr(/Watching taken\.mjs/);
  await writeFile(file, counter.replace("version: '1'", "version: '3'"));
  await dev.waitForRecords(2);
  await client.runNowAndWait(id, { event: { from: 0, to: 1 } });
  const records = await dev.waitForRecords<{
    kind: string;
    source?: { version: string };
    event?: EventSummary;
    run?: Run;
  }>(4);
  expect(records.map(({ kind }) => kind).sort()).toEqual(['event', 'run', 'source', 'source']);
  expect(records.flatMap(({ source }) => source?.version ?? [])).toEqual(['2', '3']);
  expect(await dev.interrupt()).toBe(130);
  expect(await client.source(id)).toMatchObject({ state: 'active', version: '3' });
});

test("the commands in README.md's terminal section deliver a signed event to a local server", async () => {
  const receiver = await Receiver.start();
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const section = readme.slice(readme.indexOf('## From the terminal'));
  const lines = [...section.slice(0, section.indexOf('\n## ')).matchAll(/^npx pd ([^#\n]+?) *#/gm)];
  const [login, init, dev, listen, trigger, ...others] = lines.map(([, line = '']) => line.split(' '));
  expect([login, others]).toEqual([['login'], []]);
  expect((await pd(init ?? [], commandOptions)).code).toBe(0);
  const developing = new RunningCommand(dev ?? [], commandOptions);
  await developing.waitForStderr(/Watching/);
  const port = new URL(receiver.url('/')).port;
  const listening = new RunningCommand(
    [...(listen ?? []).map((word) => (word === '4000' ? port : word)), '--json'],
    commandOptions,
  );
  const [begin] = await listening.waitForRecords<{ signing_key: string }>(1);
  expect((await pd(trigger ?? [], commandOptions)).code).toBe(0);
  const [received] = await until('the event to arrive', () => receiver.received.length > 0 && receiver.received);
  if (received !== undefined) verify(begin?.signing_key ?? '', received);
  await until('dev to show it', () => developing.stdout.includes('GET /'));
  expect([await listening.interrupt(), await developing.interrupt()]).toEqual([130, 130]);
  await receiver.stop();
});

test('events, logs and listen continue after kill -9 of the service, with each event once and in order', async () => {
  const receiver = await Receiver.start();
  const { id } = await client.deploySource({ component_code: counter });
  const run = (from: number, to: number): Promise<unknown> => client.runNowAndWait(id, { event: { from, to } });
  await run(0, 3);
  const events = new RunningCommand(['events', id, '-f', '-n', '2', '--json'], commandOptions);
  const logs = new RunningCommand(
    ['logs', id, '-f', '-n', '1', '--outcome', 'succeeded', '--kind', 'manual', '--json'],
    commandOptions,
  );
  const listen = new RunningCommand(['listen', receiver.url('/hook'), '--source', id, '--json'], commandOptions);
  // Once they show past records, they have started.
  await Promise.all([events.waitForRecords(2), logs.waitForRecords(1)]);
  const [begin] = await listen.waitForRecords<{ signing_key: string }>(1);
  await run(3, 6);
  await Promise.all([events.waitForRecords(5), logs.waitForRecords(2), listen.waitForRecords(4)]);
  await product.kill();
  await Promise.all([events, logs, listen].map((one) => one.waitForStderr(/Connection lost/)));
  await product.start();
  await run(6, 9);
  expect(numbers(await events.waitForRecords<EventSummary>(8))).toEqual(upTo(9).slice(1));
  expect((await logs.waitForRecords<Run>(3)).map(({ emitted }) => emitted.length)).toEqual([3, 3, 3]);
  expect((await listen.waitForRecords<{ status: number }>(7)).slice(1).map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, () => 200),
  );
  const got = await until('all to be forwarded', () => receiver.received.length >= 6 && receiver.received);
  expect(got.map(({ body }) => (JSON.parse(body) as { n: number }).n)).toEqual([3, 4, 5, 6, 7, 8]);
  for (const received of got) verify(begin?.signing_key ?? '', received);
  await Promise.all(
    [events, logs, listen].map((one) => one.waitForStderr(/Reconnected; going on after the last record/)),
  );
  expect(await Promise.all([logs.interrupt(), listen.interrupt()])).toEqual([130, 130]);
  await client.deleteSource(id);
  expect([await events.exitCode(), events.stderr]).toEqual([
    4,
    expect.stringContaining(`The source ${id} was deleted.`),
  ]);
  await receiver.stop();
});

test('dev makes one source when the service is killed while it deploys and is away for a while', async () => {
  const slow = `export default { name: 'Slow', version: '1',
    hooks: { deploy: () => new Promise((done) => setTimeout(done, 3_000)) }, run() {} };`;
  await writeFile(join(dir, 'slow.mjs'), slow);
  const dev = new RunningCommand(['dev', 'slow.mjs'], commandOptions);
  const sources = async (): Promise<readonly Source[]> =>
    (await client.sources()).data.filter(({ name }) => name === 'Slow');
  await until('it to be deployed', async () => (await sources()).length === 1);
  await product.kill();
  await dev.waitForStderr(/Trying again/);
  await product.start();
  await dev.waitForStderr(/Watching slow\.mjs/);
  expect((await sources()).map(({ state }) => state)).toEqual(['active']);
  expect(await dev.interrupt()).toBe(130);
});

/** What each shell does when somebody presses Tab after `pd ev`, and after `pd events comp`. */
const presses = {
  bash: `source <(pd completion bash)
    for words in 'ev' 'events comp'; do
      COMP_WORDS=(pd $words) COMP_CWORD=$(wc -w <<< "$words"); _pd; echo "\${COMPREPLY[@]}"
    done`,
  zsh: `autoload -Uz compinit; compinit -u -D; source <(pd completion zsh)
    compadd() { print -- "\${@[2,-1]}" }
    for typed in 'ev' 'events comp'; do words=(pd \${(s: :)typed}); CURRENT=$#words; _pd; done`,
  fish: `pd completion fish | source
    complete -C 'pd ev'; complete -C 'pd events comp'`,
};

test('bash, zsh and fish load the completion, which completes commands and sources', async () => {
  await client.deploySource({ component_code: counter, name: 'Completed' });
  await symlink(pdPath, join(dir, 'pd'));
  await writeFile(join(dir, 'evening.mjs'), counter);
  const PATH = [dir, dirname(process.execPath), process.env['PATH']].join(':');
  // None of them reads the configuration of this machine or its users.
  const unread = { bash: '--norc', zsh: '-f', fish: '--no-config' };
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    const pressed = promisify(execFile)(shell, [unread[shell], '-c', presses[shell]], {
      cwd: dir,
      env: { ...commandOptions.env, PATH },
    });
    const { stdout } = await pressed.catch((error: unknown) => {
      throw new Error(`${shell} did not complete: apt-get install ${shell}, as .ci/run does`, { cause: error });
    });
    expect([shell, stdout]).toEqual([shell, 'events\ncompleted\n']);
  }
});
