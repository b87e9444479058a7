// `pd listen`: forwards events to a server on this machine as a webhook would get them.
import type { Client, EventSummary, Source } from '../../../../libs/client/index.ts';
import { isHttpUrl } from '../../config/connection.ts';
import { plainLine } from '../../output/plain-text.ts';
import { formatDuration, formatLocalTime } from '../../output/times.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Failure, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource } from '../../records/find.ts';
import { readAll, readNewest } from '../../records/pages.ts';
import { followEvents } from '../../streams/follow-source.ts';
import { interruption } from '../../streams/interrupt.ts';
import { collectValues } from '../arguments.ts';
import { forward } from './forward.ts';
import type { Outcome } from './forward.ts';

interface ListenOptions {
  readonly source?: readonly string[];
  readonly channel?: string;
}

/** Each source needs its own stream. */
const sourcesMax = 50;
const description = `Forwards new events to a server on this machine, signed and shaped as a webhook would get them, and shows each with status and latency until Ctrl-C.

Events of one source come one after the other. After a lost connection it continues where it was; what the server refuses is not sent again. The signing key stays the same for an API key.

Without --source it forwards those sources that there are when it begins: for one that is deployed later, start it again.`;

export const addListen: AddCommand = (program, runner) => {
  program
    .command('listen')
    .summary('forward events to a server on this machine')
    .description(description)
    .argument('<target>', 'a port or a URL: 4000, http://127.0.0.1:4000/hook')
    .option('-s, --source <source>', 'a source by id or name, may be repeated; all by default', collectValues)
    .option('-c, --channel <name>', 'only this channel')
    .action(runner.run(listen));
};

async function listen(session: Session, options: ListenOptions, target: string): Promise<number> {
  const { out } = session;
  const url = targetUrl(target);
  const connection = await session.connection();
  const client = await session.client(connection);
  const sources = await chooseSources(client, options.source);
  const { listeningKey, signedRequest } = await import('../../requests/signed-event.ts');
  const key = listeningKey(connection.apiKey);
  const interrupt = interruption();
  const lastEventIds = await Promise.all(sources.map((source) => newestId(client, source, options.channel)));
  if (out.json)
    await out.printRecord({ listening: url, signing_key: key, sources: sources.map(({ id }) => id) }, () => '');
  else out.note(`Forwarding events of ${namesOf(sources)} to ${url}\nSigning key: ${key}`);
  try {
    await Promise.all(
      sources.map(async ({ id: sourceId }, at) => {
        const followTarget = { sourceId, channel: options.channel, signal: interrupt.signal, after: lastEventIds[at] };
        for await (const { data } of followEvents(session, client, followTarget))
          await show(
            session,
            data,
            await forward(signedRequest(data, key, Date.now()), url, { endSignal: interrupt.signal }),
          );
      }),
    );
  } finally {
    interrupt.end();
  }
  return exitCodes.interrupted;
}

/** A port alone means this machine. */
function targetUrl(target: string): string {
  const isPort = /^\d+$/.test(target) && Number(target) > 0 && Number(target) < 65_536;
  if (isPort) return `http://127.0.0.1:${target}/`;
  if (isHttpUrl(target)) return target;
  throw usageFailure(`"${target}" is neither a port nor a URL.`, 'It looks like 4000, or http://127.0.0.1:4000/hook.');
}

async function chooseSources(client: Client, names: readonly string[] | undefined): Promise<readonly Source[]> {
  if (names !== undefined) return Promise.all(names.map((name) => findSource(client, name)));
  const sources: Source[] = [];
  for await (const source of readAll((paging) => client.sources(paging))) {
    sources.push(source);
    if (sources.length > sourcesMax)
      throw usageFailure(`There are more than ${sourcesMax} sources.`, 'Choose some by --source.');
  }
  if (sources.length > 0) return sources;
  throw new Failure('There are no sources yet.', exitCodes.notFound, 'Deploy one by `pd deploy`.');
}

/** Undefined: the source has no event yet. */
async function newestId(client: Client, { id }: Source, channel: string | undefined): Promise<string | undefined> {
  const filter = channel === undefined ? {} : { event_name: channel };
  const { records } = await readNewest((paging) => client.eventSummaries(id, { ...filter, ...paging }), 1);
  return records[0]?.id;
}

const namesOf = (sources: readonly Source[]): string =>
  sources.length === 1 ? plainLine(sources[0]?.name ?? sources[0]?.id ?? '') : `${sources.length} sources`;

async function show({ out }: Session, { id, indexed_at_ms, metadata }: EventSummary, outcome: Outcome): Promise<void> {
  const { status, failure, duration_ms } = outcome;
  const { style } = out;
  await out.printRecord({ event_id: id, source_id: metadata.emitter_id, ...outcome }, () => {
    const isSuccess = status !== null && status < 300;
    const statusText = (isSuccess ? style.good : style.bad)(
      status === null ? `failed (${plainLine(failure ?? '')})` : String(status),
    );
    const summary = metadata.summary === undefined ? [] : [plainLine(metadata.summary)];
    return [
      style.faint(formatLocalTime(indexed_at_ms)),
      statusText,
      formatDuration(duration_ms),
      style.name(plainLine(id)),
      ...summary,
    ].join('  ');
  });
}
