// `pd run`: runs a source now.
import type { AcceptedRun, Run } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import { showRun } from '../../output/show-records.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readEventOption } from '../../requests/event-options.ts';
import type { EventOptions } from '../../requests/event-options.ts';
import { explainIdle } from './idle.ts';

interface RunOptions extends EventOptions {
  readonly detach?: boolean;
}

const description = `Runs a source now, and shows the run when it has ended: what it printed, and its error.

Without an event it gets the time, or an empty request if it has an endpoint and no timer. Exits with 1 if the run failed.`;

export const addRun: AddCommand = (program, runner) => {
  program
    .command('run <source>')
    .summary('run a source now')
    .description(description)
    .option('-e, --event <json>', 'the event that it is run with')
    .option('--event-file <file>', 'the event from a file, or - for stdin')
    .option('-d, --detach', 'end when the run is certain, before it has ended')
    .action(runner.run(run));
};

async function run(session: Session, options: RunOptions, nameOrId: string): Promise<number> {
  const { out } = session;
  const request = (await readEventOption(session, options)) ?? {};
  const client = await session.client();
  const source = await findSource(client, nameOrId);
  const pending: Promise<Run | AcceptedRun> =
    options.detach === true ? client.runNow(source.id, request) : client.runNowAndWait(source.id, request);
  const result = await pending.catch((error: unknown) => {
    throw explainIdle(source, error);
  });
  if (!hasEnded(result)) {
    if (options.detach !== true) out.note('The run has not ended yet: `pd logs` will show it.');
    out.printResult(result, () => plainLine(result.id));
    return exitCodes.done;
  }
  out.printResult(result, () => showRun(result, out.style));
  return result.outcome === 'succeeded' ? exitCodes.done : exitCodes.failed;
}

const hasEnded = (result: Run | AcceptedRun): result is Run => 'outcome' in result;
