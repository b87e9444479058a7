// `pd run`: a run of a source, now.
import type { AcceptedRun, Run } from '../../../../libs/client/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import { showRun } from '../../output/show-records.ts';
import type { AddCommand } from '../../session/command.ts';
import { contentOf } from '../../session/content.ts';
import { exitCodes, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { explainedIdle } from './idle.ts';

interface RunOptions {
  readonly event?: string;
  readonly eventFile?: string;
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
  const request = await requestOf(session, options);
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

async function requestOf(session: Session, { event, eventFile }: RunOptions): Promise<{ readonly event?: unknown }> {
  if (event !== undefined && eventFile !== undefined)
    throw usageFailure('--event and --event-file do not go together.');
  if (eventFile !== undefined) return { event: parsed(await contentOf(session, eventFile), eventFile) };
  return event === undefined ? {} : { event: parsed(event, 'The event') };
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageFailure(`${what === '-' ? 'What came on stdin' : what} is not JSON.`);
  }
}
