// `pd events`: lists the events of a source, and follows new ones.
import { showEvent } from '../../output/show-records.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readNewest } from '../../records/pages.ts';
import { printEvents } from '../../streams/follow-source.ts';
import { interruption } from '../../streams/interrupt.ts';
import { parseListCount } from '../arguments.ts';

interface EventsOptions {
  readonly number: number;
  readonly follow?: boolean;
  readonly channel?: string;
}

const description = `Shows the last events of a source, the newest last.

With --follow it keeps showing new ones, across lost connections, until Ctrl-C.`;

export const addEvents: AddCommand = (program, runner) => {
  program
    .command('events <source>')
    .summary('show the events of a source')
    .description(description)
    .option('-n, --number <n>', 'how many', parseListCount, 10)
    .option('-f, --follow', 'keep showing new events')
    .option('-c, --channel <name>', 'one channel: its name, "" for the default one, $errors, $logs or $in')
    .action(runner.run(events));
};

async function events(session: Session, options: EventsOptions, nameOrId: string): Promise<number> {
  const { out } = session;
  const { number, channel } = options;
  const client = await session.client();
  const { id: sourceId } = await findSource(client, nameOrId);
  const request = { expand: 'event', ...(channel === undefined ? {} : { event_name: channel }) } as const;
  // At least one, after which to follow.
  const { records, total } = await readNewest(
    (paging) => client.eventSummaries(sourceId, { ...request, ...paging }),
    number || 1,
  );
  const last = records.slice(0, number).reverse();
  if (options.follow !== true && out.json) out.printDocument(last);
  else for (const event of last) await out.printRecord(event, () => showEvent(event, out.style));
  if (options.follow !== true) {
    if (total === 0) out.note(channel === undefined ? 'There are no events.' : 'There are no such events.');
    return exitCodes.done;
  }
  const { signal } = interruption();
  if (session.canAsk) out.note(out.noteStyle.faint('Waiting for new events; Ctrl-C ends this.'));
  await printEvents(session, client, { sourceId, channel, signal, after: records[0]?.id });
  return exitCodes.interrupted;
}
