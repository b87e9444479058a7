// `pd run`: runs a source now.
import type { AcceptedRun, Run } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import { showRun } from '../../output/show-records.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { givenEvent } from '../../requests/given-event.ts';
import type { EventOptions } from '../../requests/given-event.ts';
import { explainedIdle } from './idle.ts';

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

async function run(session: Session, options: RunOptions, named: string): Promise<number> {
  const { out } = session;
  const request = (await givenEvent(session, options)) ?? {};
  const client = await session.client();
  const source = await findSource(client, named);
  const asked: Promise<Run | AcceptedRun> =
    options.detach === true ? client.runNow(source.id, request) : client.runNowAndWait(source.id, request);
  const made = await asked.catch((error: unknown) => {
    throw explainedIdle(source, error);
  });
  if (!hasEnded(made)) {
    if (options.detach !== true) out.note('The run has not ended yet: `pd logs` will show it.');
    out.result(made, () => plainLine(made.id));
    return exitCodes.done;
  }
  out.result(made, () => showRun(made, out.style));
  return made.outcome === 'succeeded' ? exitCodes.done : exitCodes.failed;
}

const hasEnded = (made: Run | AcceptedRun): made is Run => 'outcome' in made;
