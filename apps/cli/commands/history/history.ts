// `pd history`: shows what happened in the workspace.
import type { Client, HistoryQuery, HistoryRecord } from '../../../../libs/client/index.ts';
import { showHistoryRecord } from './show-history.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { connectionNotices } from '../../streams/follow-source.ts';
import { follow } from '../../streams/follow.ts';
import { interruption } from '../../streams/interrupt.ts';
import { parseListCount } from '../arguments.ts';
import { addExport } from './export.ts';
import { subjectOf } from './subject.ts';
import { timeOf } from '../times.ts';

interface HistoryOptions {
  readonly number: number;
  readonly follow?: boolean;
  readonly topic?: string;
  readonly type?: string;
  readonly correlation?: string;
  readonly from?: number;
  readonly to?: number;
}

const description = `Shows what the log holds of the workspace, oldest first: who asked for what, and what came of it.

SUBJECT is a source or a webhook, by id or name, or the id of anything else: a subscription, event, run, delivery, account or API key. What was deleted is named by its id.
Without one, and without --from, it begins an hour ago.
With --follow it keeps showing new records, across lost connections, until Ctrl-C; with -n 0 it shows only those.`;

export const addHistory: AddCommand = (program, runner) => {
  const history = program
    .command('history [subject]')
    .summary('show what happened in the workspace')
    .description(description)
    .option('-n, --number <n>', 'how many at most, of the oldest', parseListCount, 100)
    .option('-f, --follow', 'keep showing new records')
    .option('--from <time>', 'records from then on: a time (ISO 8601), or how long ago (30m, 24h, 7d)', timeOf)
    .option('--to <time>', 'records before then', timeOf)
    .option('--type <type>', 'of one type, such as EventEmitted')
    .option('--topic <topic>', 'of one topic, such as deliveries')
    .option('--correlation <id>', 'all that one request led to')
    .action(runner.run(showHistory));
  addExport(history, runner);
};

async function showHistory(session: Session, options: HistoryOptions, subject?: string): Promise<number> {
  const { out } = session;
  const client = await session.client();
  const query = queryOf(options, subject === undefined ? undefined : await subjectOf(client, subject));
  const isFollowing = options.follow === true;
  const { records, cursor, hasMore } = await readFirstRecords(client.history, query, options.number);
  if (out.json && !isFollowing) out.printDocument(records);
  else for (const record of records) await out.printRecord(record, () => showHistoryRecord(record, out.style));
  if (!isFollowing) {
    if (records.length === 0 && options.number > 0) out.note('There are no such records.');
    if (hasMore) out.note(`There is more: ask for more with --number, or from a later time with --from.`);
    return exitCodes.done;
  }
  const { signal } = interruption();
  const newRecords = follow<HistoryRecord>({
    open: ({ after = cursor, ...connection }) =>
      client.history.stream({ ...query, ...connection, ...(after === undefined ? {} : { after }) }),
    signal,
    after: cursor,
    ...connectionNotices(session),
  });
  for await (const { data } of newRecords) await out.printRecord(data, () => showHistoryRecord(data, out.style));
  return exitCodes.interrupted;
}

/** The query of every page and of the stream: a cursor is valid for one query only. */
function queryOf({ topic, type, correlation, from, to }: HistoryOptions, subject?: string): HistoryQuery {
  const begin = from ?? (subject === undefined ? timeOf('1h') : undefined);
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(topic === undefined ? {} : { topic }),
    ...(type === undefined ? {} : { type }),
    ...(correlation === undefined ? {} : { correlation_id: correlation }),
    ...(begin === undefined ? {} : { from: begin }),
    ...(to === undefined ? {} : { to }),
  };
}

interface FirstRecords {
  readonly records: readonly HistoryRecord[];
  /** The cursor after these records; undefined: none were requested, and a stream begins now. */
  readonly cursor: string | undefined;
  readonly hasMore: boolean;
}

/** Returns the first `count` records. */
async function readFirstRecords(history: Client['history'], query: HistoryQuery, count: number): Promise<FirstRecords> {
  const records: HistoryRecord[] = [];
  if (count === 0) return { records, cursor: undefined, hasMore: false };
  for (let after: string | undefined; ;) {
    const limit = count - records.length;
    const { data, page_info } = await history.page({ ...query, limit, ...(after === undefined ? {} : { after }) });
    records.push(...data);
    after = page_info.end_cursor;
    if (!page_info.has_more || records.length >= count)
      return { records: records.slice(0, count), cursor: after, hasMore: page_info.has_more };
  }
}
