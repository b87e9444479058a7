// `pd logs`: a source's runs with their console and errors.
import { showRun } from '../../output/show-records.ts';
import type { AddCommand } from '../../program/command.ts';
import { exitCodes, usageFailure } from '../../program/failure.ts';
import type { Session } from '../../program/session.ts';
import { findSource } from '../../records/find.ts';
import { newest } from '../../records/pages.ts';
import { printRuns } from '../../streams/following.ts';
import { interruption } from '../../streams/interrupt.ts';
import { countOfLarge } from '../arguments.ts';

interface LogsOptions {
  readonly number: number;
  readonly follow?: boolean;
  readonly failed?: boolean;
}

const description = `Shows the last runs of a source, the newest last: how each ended, what it printed and its error.

With --follow it goes on with new ones, across lost connections, until Ctrl-C.`;

export const addLogs: AddCommand = (program, runner) => {
  program
    .command('logs <source>')
    .summary('show the runs of a source, with their console')
    .description(description)
    .option('-n, --number <n>', 'how many', countOfLarge, 10)
    .option('-f, --follow', 'go on with new runs')
    .option('--failed', 'only runs that failed; not with --follow')
    .action(runner.run(logs));
};

async function logs(session: Session, options: LogsOptions, named: string): Promise<number> {
  const { out } = session;
  const { number } = options;
  if (options.failed === true && options.follow === true)
    throw usageFailure(
      '--failed and --follow do not go together.',
      'Follow failures by `pd events SOURCE -f -c $errors`.',
    );
  const client = await session.client();
  const { id: sourceId } = await findSource(client, named);
  const filter = options.failed === true ? ({ outcome: 'failed' } as const) : {};
  // One at least, to follow after.
  const { records } = await newest((paging) => client.runs(sourceId, { ...filter, ...paging }), number || 1);
  const last = records.slice(0, number).reverse();
  if (options.follow !== true && out.json) out.document(last);
  else for (const run of last) await out.streamed(run, () => showRun(run, out.style));
  if (options.follow !== true) return exitCodes.done;
  const { signal } = interruption();
  if (session.canAsk) out.note(out.noteStyle.faint('Waiting for new runs; Ctrl-C ends this.'));
  await printRuns(session, client, { sourceId, signal, after: records[0]?.id });
  return exitCodes.interrupted;
}
