// `pd logs`: shows a source's runs with their console and errors.
import { Option } from 'commander';
import type { Client, Run, RunsRequest } from '../../../../libs/client/index.ts';
import { showRun } from '../../output/show-records.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import { printRuns } from '../../streams/follow-source.ts';
import { interruption } from '../../streams/interrupt.ts';
import { parseListCount } from '../arguments.ts';
import { timeOf } from '../times.ts';

interface LogsOptions {
  readonly number: number;
  readonly follow?: boolean;
  readonly failed?: boolean;
  readonly outcome?: Run['outcome'];
  readonly kind?: string;
  readonly since?: number;
  readonly until?: number;
}

const description = `Shows the last runs of a source, the newest last: how each ended, what it printed and its error.

With --follow it keeps showing new ones, across lost connections, until Ctrl-C.`;

const outcomes: readonly Run['outcome'][] = ['succeeded', 'failed', 'refused'];
/** All kinds of the API, the most usual first. */
export const runKinds = [
  ...['http', 'timer', 'manual', 'event', 'deploy', 'activate', 'deactivate', 'apphook', 'emit', 'sample'],
  ...['describe', 'event_names', 'configure', 'props'],
];

export const addLogs: AddCommand = (program, runner) => {
  program
    .command('logs <source>')
    .summary('show the runs of a source, with their console')
    .description(description)
    .option('-n, --number <n>', 'how many', parseListCount, 10)
    .option('-f, --follow', 'keep showing new runs')
    .addOption(new Option('--outcome <outcome>', 'only runs that ended so').choices(outcomes).conflicts('failed'))
    .option('--failed', 'the same as --outcome failed')
    .addOption(new Option('--kind <kind>', 'only runs that this began').choices(runKinds))
    .option('--since <time>', 'only runs that began then or later: 2026-06-01T00:00Z, or 30m, 24h, 7d ago', timeOf)
    .addOption(new Option('--until <time>', 'only runs that began before then').argParser(timeOf).conflicts('follow'))
    .action(runner.run(logs));
};

async function logs(session: Session, options: LogsOptions, nameOrId: string): Promise<number> {
  const { out } = session;
  const client = await session.client();
  const { id: sourceId } = await findSource(client, nameOrId);
  const filter = filterOf(options);
  // Read before the list, so that a run that ends meanwhile is shown exactly once, in the list or after it.
  const after = options.follow === true ? await newestRun(client, sourceId) : undefined;
  const { records, total } = await readNewest(
    (paging) => client.runs(sourceId, { ...filter, ...paging }),
    options.number,
  );
  const last = records.toReversed();
  if (options.follow !== true && out.json) out.printDocument(last);
  else for (const run of last) await out.printRecord(run, () => showRun(run, out.style));
  if (options.follow !== true) {
    if (total === 0) out.note('There are no such runs.');
    return exitCodes.done;
  }
  const { signal } = interruption();
  if (session.canAsk) out.note(out.noteStyle.faint('Waiting for new runs; Ctrl-C ends this.'));
  const shownIds = new Set(records.map(({ id }) => id));
  const isWanted = (run: Run): boolean => !shownIds.has(run.id) && matchesFilter(run, filter);
  await printRuns(session, client, { sourceId, signal, after, isWanted });
  return exitCodes.interrupted;
}

type Filter = Pick<RunsRequest, 'outcome' | 'kind' | 'from' | 'to'>;

function filterOf({
  failed,
  outcome = failed === true ? 'failed' : undefined,
  kind,
  since,
  until,
}: LogsOptions): Filter {
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(kind === undefined ? {} : { kind }),
    ...(since === undefined ? {} : { from: since }),
    ...(until === undefined ? {} : { to: until }),
  };
}

const matchesFilter = (run: Run, { outcome = run.outcome, kind = run.kind }: Filter): boolean =>
  run.outcome === outcome && run.kind === kind;

const newestRun = async (client: Client, sourceId: string): Promise<string | undefined> =>
  (await client.runs(sourceId, { limit: 1 })).data[0]?.id;
