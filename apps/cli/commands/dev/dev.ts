// `pd dev`: deploys a component that is being written, updates it on each save, and shows its events and runs.
import { basename, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Option } from 'commander';
import type { Client, EventSummary, Run, Source } from '../../../../libs/client/index.ts';
import { showEvent, showRun } from '../../output/show-records.ts';
import { plainLine } from '../../output/plain-text.ts';
import { formatDuration } from '../../output/times.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Interrupted, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import type { Code } from '../../props/code.ts';
import { deployWithProps } from '../../props/deploy-with-props.ts';
import { readPropOptions, typedProps } from '../../props/prop-options.ts';
import type { PropOptions } from '../../props/prop-options.ts';
import { findSource } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import { followEvents, followRuns } from '../../streams/follow-source.ts';
import type { FollowTarget } from '../../streams/follow-source.ts';
import { interruption } from '../../streams/interrupt.ts';
import { DeployOnce } from '../../requests/deploy-once.ts';
import { reportDeployed } from '../sources/deploy.ts';
import { collectValues } from '../arguments.ts';
import { WatchedFile } from './watched-file.ts';

const endings = ['leave', 'deactivate', 'delete'] as const;
type Ending = (typeof endings)[number];

interface DevOptions extends PropOptions {
  readonly dc?: string;
  readonly name?: string;
  readonly onExit?: Ending;
  readonly promptAll?: boolean;
}

const description = `Deploys a component from a file and those that it imports, updates it on each save, and shows its events and runs until Ctrl-C.

An error in the code is shown with its line, and the source keeps its previous code. At the end it asks what to do with the source: leave it running, make it inactive, or delete it. Without a terminal it stays.

It takes a file, and not the name of a source: --dc takes over a source that is there.`;

export const addDev: AddCommand = (program, runner) => {
  program
    .command('dev <file>')
    .summary('work on a component: deploy, update on save, show events and logs')
    .description(description)
    .option('--dc <source>', 'take over this source, by id or name, instead of deploying a new one')
    .option('--name <name>', "the name of a new source; the component's own by default")
    .option('--prop <name=value>', 'a prop; may be repeated', collectValues)
    .option('--props <file>', 'props as a JSON object, from a file or - for stdin')
    .option('--prompt-all', 'ask for every prop of a new source, also for those that are optional or have a default')
    .addOption(new Option('--on-exit <what>', 'what to do with the source, without asking').choices(endings))
    .action(runner.run(dev));
};

async function dev(session: Session, options: DevOptions, file: string): Promise<number> {
  const { out } = session;
  const path = resolve(file);
  const client = await session.client();
  const { promptAll } = options;
  const propInput = await readPropOptions(session, options);
  const interrupt = interruption();
  const watchedFile = new WatchedFile(session, path, interrupt.signal);
  const existing = options.dc === undefined ? undefined : await requireSourceWithCode(client, options.dc);
  // Of an existing source, only what comes from now on is shown; of a new one, everything.
  const last = existing === undefined ? {} : await lastRecordIds(client, existing);
  const source = await begin();
  if (source === undefined) return exitCodes.interrupted;
  const followTarget = { sourceId: source.id, signal: interrupt.signal };
  out.note(`Watching ${basename(path)}; Ctrl-C ends this.`);
  try {
    await Promise.all([
      showEvents(session, client, { ...followTarget, after: last.event }),
      showRuns(session, client, { ...followTarget, after: last.run }),
      watchedFile.runOnEachSave((code) => updateTo(session, client, source, code)),
    ]);
  } finally {
    interrupt.end();
  }
  interrupt.release();
  await end(session, client, source, options.onExit);
  return exitCodes.interrupted;

  /** Tries each save until the code is deployed. Undefined: ended before. */
  async function begin(): Promise<Source | undefined> {
    let source: Source | undefined;
    const deploys = new DeployOnce(client);
    await watchedFile.runUntilSuccess(async (code, isRetry) => {
      const name = options.name === undefined ? {} : { name: options.name };
      if (!isRetry) out.note('Deploying ...');
      const deployed =
        existing === undefined
          ? await deployWithProps(session, client, { code, propInput, promptAll }, (configured_props) =>
              deploys.deploy({ ...code, ...name, configured_props }),
            )
          : await client.updateSource(existing.id, {
              ...code,
              ...name,
              ...propsOf(typedProps(propInput, existing.configurable_props)),
            });
      if (out.json) await out.printRecord({ kind: 'source', source: deployed }, () => '');
      else reportDeployed(session, deployed);
      source = deployed;
    });
    return source;
  }
}

/** Throws a Failure for a channel, which can never have code. */
async function requireSourceWithCode(client: Client, named: string): Promise<Source> {
  const source = await findSource(client, named);
  if (source.kind !== 'channel') return source;
  const message = `The source ${source.name_slug ?? source.id} is a channel: it runs no code.`;
  throw usageFailure(message, 'Name another one by --dc, or leave it out to deploy a new one.');
}

const propsOf = (props: Readonly<Record<string, unknown>>): { readonly configured_props?: typeof props } =>
  Object.keys(props).length === 0 ? {} : { configured_props: props };

async function updateTo(session: Session, client: Client, { id }: Source, code: Code): Promise<void> {
  const { out } = session;
  const startedMs = performance.now();
  const source = await client.updateSource(id, code);
  const took = formatDuration(performance.now() - startedMs);
  out.note(out.noteStyle.good(source.state === 'updating' ? 'Still updating ...' : `Updated in ${took}.`));
  if (out.json) await out.printRecord({ kind: 'source', source }, () => '');
}

/** The ids of the newest event and run; each absent if there is none. */
async function lastRecordIds(
  client: Client,
  { id }: Source,
): Promise<{ readonly event?: string; readonly run?: string }> {
  const [events, runs] = await Promise.all([
    readNewest((paging) => client.eventSummaries(id, paging), 1),
    readNewest((paging) => client.runs(id, paging), 1),
  ]);
  const [[event], [run]] = [events.records, runs.records];
  return { ...(event === undefined ? {} : { event: event.id }), ...(run === undefined ? {} : { run: run.id }) };
}

async function showEvents(session: Session, client: Client, target: FollowTarget): Promise<void> {
  const { out } = session;
  for await (const { data } of followEvents(session, client, target))
    await out.printRecord(tagged('event', data), () => showEvent(data, out.style));
}

async function showRuns(session: Session, client: Client, target: FollowTarget): Promise<void> {
  const { out } = session;
  for await (const { data } of followRuns(session, client, target))
    if (isWorthShowing(data)) await out.printRecord(tagged('run', data), () => showRun(data, out.style));
}

/** Runs of kind `describe` are not shown: the update of the save tells the same. */
const isWorthShowing = ({ kind }: Run): boolean => kind !== 'describe';

const tagged = (kind: string, record: EventSummary | Run): object => ({ kind, [kind]: record });

async function end(session: Session, client: Client, source: Source, onExit: Ending | undefined): Promise<void> {
  const ending = onExit ?? (await askEnding(session));
  const { out } = session;
  if (ending === 'delete') await client.deleteSource(source.id);
  if (ending === 'deactivate') await client.updateSource(source.id, { active: false });
  const outcome = { delete: 'was deleted', deactivate: 'is inactive', leave: 'keeps running' }[ending];
  const label = source.name === null ? source.id : `${plainLine(source.name)} (${source.id})`;
  out.note(`The source ${label} ${outcome}.`);
}

/** A second Ctrl-C, at the question, means `leave`. */
async function askEnding(session: Session): Promise<Ending> {
  if (!session.canAsk) return 'leave';
  const prompts = await session.prompts('Nobody can be asked.');
  try {
    return await prompts.choose<Ending>('What becomes of the source?', [
      { value: 'leave', label: 'It keeps running' },
      { value: 'deactivate', label: 'It stays, inactive' },
      { value: 'delete', label: 'Delete it' },
    ]);
  } catch (error) {
    if (error instanceof Interrupted) return 'leave';
    throw error;
  }
}
