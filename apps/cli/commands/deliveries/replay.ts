// `pd replay`: sends the events of a subscription again, and shows how far it is.
import { InvalidArgumentError, Option } from 'commander';
import type { Client, Replay, ReplayCount, ReplayPosition, ReplayRequest } from '../../../../libs/client/index.ts';
import type { Output } from '../../output/output.ts';
import { plainLine } from '../../output/plain-text.ts';
import { explain } from '../../failures/explain.ts';
import { withRetries } from '../../failures/retry.ts';
import type { AddCommand } from '../../session/command.ts';
import { exitCodes, Interrupted, usageFailure } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { findSource, findSubscription } from '../../records/find.ts';
import { interruption } from '../../streams/interrupt.ts';
import { rateOf } from '../arguments.ts';
import { parsePosition } from '../positions.ts';
import { pollUntilEnded } from './poll-replay.ts';

interface ReplayOptions {
  readonly from?: ReplayPosition;
  readonly to?: ReplayPosition;
  readonly only?: 'all' | 'failed' | 'parked';
  readonly rate?: number;
  readonly source?: string;
  readonly dryRun?: boolean;
  readonly detach?: boolean;
}

type Ending = 'leave' | 'cancel';

const barChars = 24;

export const addReplay: AddCommand = (program, runner) => {
  program
    .command('replay <subscription>')
    .summary('send events of a subscription again')
    .description(
      'Sends events of a subscription again, by its id, while new ones are delivered too, and shows the progress, also across restarts of the service.',
    )
    .option(
      '--from <position>',
      'the first: earliest, a time (ISO 8601, or 24h ago), an event id, or #N, its number',
      firstPositionOf,
    )
    .option('--to <position>', 'the last, in the same forms, or now', positionOf)
    .addOption(
      new Option(
        '--only <which>',
        'which events: all (default), those with a failed attempt, or those that are parked',
      ).choices(['all', 'failed', 'parked']),
    )
    .option('--rate <n>', 'events a second at most', rateOf)
    .option('--source <source>', 'of a subscription to every source only this one, by id or name')
    .option('--dry-run', 'only count the events')
    .option('-d, --detach', 'do not wait for the end')
    .action(runner.run(replay));
};

const forms = 'a time, how long ago (24h), an event id, or #N';

/** Parses the position of the last event. That of the first cannot be `now`, from where there is nothing to replay. */
export const positionOf = (text: string): ReplayPosition => requirePosition(text, `earliest, now, ${forms}`);

export const firstPositionOf = (text: string): ReplayPosition => requirePosition(text, `earliest, ${forms}`);

function requirePosition(text: string, acceptedForms: string): ReplayPosition {
  const position = parsePosition(text);
  if (position !== undefined) return position;
  throw new InvalidArgumentError(`It must be ${acceptedForms}.`);
}

/** Compares only positions of the same form; other pairs are checked by the service. */
export function isBackwards(from: ReplayPosition, to: ReplayPosition): boolean {
  if (typeof from === 'string' || typeof to === 'string') return false;
  if ('sequence' in from && 'sequence' in to) return from.sequence > to.sequence;
  if ('time' in from && 'time' in to) return from.time > to.time;
  if (!('event_id' in from) || !('event_id' in to)) return false;
  const [[fromMs = 0, fromNumber = 0], [toMs = 0, toNumber = 0]] = [partsOf(from.event_id), partsOf(to.event_id)];
  return fromMs > toMs || (fromMs === toMs && fromNumber > toNumber);
}

const partsOf = (eventId: string): readonly number[] => eventId.split('-').map(Number);

async function replay(session: Session, options: ReplayOptions, id: string): Promise<number | undefined> {
  const { out } = session;
  const { from, to, only, rate, source } = options;
  if (from !== undefined && to !== undefined && isBackwards(from, to))
    throw usageFailure('--from comes after --to: there is nothing between them.', 'Give the earlier one as --from.');
  const client = await session.client();
  await findSubscription(client, id);
  const request: ReplayRequest = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(only === undefined ? {} : { only }),
    ...(rate === undefined ? {} : { rate }),
    ...(source === undefined ? {} : { emitter_id: (await findSource(client, source)).id }),
  };
  if (options.dryRun === true) {
    const counted = await client.countReplay(id, request);
    out.printResult(counted, () => countOf(counted));
    return undefined;
  }
  const idempotencyKey = crypto.randomUUID();
  const started = await withRetries(() => client.replay(id, request, { idempotencyKey }));
  const latest = options.detach === true ? started : await followReplay(session, client, started);
  out.printResult(latest, () => summaryOf(latest));
  if (latest.state === 'cancelled') return exitCodes.failed;
  return latest.ended_at_ms === null && options.detach !== true ? exitCodes.interrupted : undefined;
}

/** Shows the replay's progress until it ends, or until Ctrl-C. */
async function followReplay(session: Session, client: Client, started: Replay): Promise<Replay> {
  const { subscription_id: subscriptionId, id } = started;
  const interrupt = interruption();
  const progress = new ProgressLine(session.out, session.canAsk);
  const last = await pollUntilEnded(started, {
    readReplay: () => client.replayOf(subscriptionId, id),
    onProgress: (seen) => progress.show(seen),
    onLost: (error) => {
      progress.end();
      session.out.note(session.out.noteStyle.warning(`${explain(error).message} Asking again ...`));
    },
    onResumed: () => session.out.note(session.out.noteStyle.good('The service answers again.')),
    signal: interrupt.signal,
  });
  progress.end();
  interrupt.release();
  if (last.ended_at_ms !== null) return last;
  if ((await askEnding(session)) === 'cancel') return client.cancelReplay(subscriptionId, id);
  session.out.note(`The replay ${id} continues.`);
  return last;
}

/** A second Ctrl-C, at the question, is also an answer. */
async function askEnding(session: Session): Promise<Ending> {
  if (!session.canAsk) return 'leave';
  const prompts = await session.prompts('Nobody can be asked.');
  try {
    return await prompts.choose<Ending>('What becomes of the replay?', [
      { value: 'leave', label: 'It keeps running' },
      { value: 'cancel', label: 'Cancel it' },
    ]);
  } catch (error) {
    if (error instanceof Interrupted) return 'leave';
    throw error;
  }
}

const summaryOf = ({ id, state, reason, done, failed, passed, retrying, left }: Replay): string => {
  const parts = [`${done} delivered`, `${failed} failed`, `${passed} passed over`];
  const failing = retrying > 0 ? ` (${retrying} after a failed attempt)` : '';
  const remaining = left === null || left === 0 ? [] : [`${left} left${failing}`];
  return plainLine(`${id} ${state}${reason === null ? '' : ` (${reason})`}: ${[...parts, ...remaining].join(', ')}`);
};

/** Shows progress in one line that is overwritten; shows nothing without a terminal. */
class ProgressLine {
  readonly #out: Output;
  readonly #isShown: boolean;

  constructor(out: Output, isShown: boolean) {
    this.#out = out;
    this.#isShown = isShown;
  }

  show(replay: Replay): void {
    if (this.#isShown) this.#out.showProgress(barOf(replay));
  }

  end(): void {
    if (this.#isShown) this.#out.showProgress('');
  }
}

export function countOf({ count, first, last }: ReplayCount): string {
  if (count === 0) return 'no events';
  return plainLine(count === 1 ? `1 event, ${first}` : `${count} events, from ${first} to ${last}`);
}

export function barOf({ total, left, state }: Pick<Replay, 'total' | 'left' | 'state'>): string {
  if (total === null || left === null) return state === 'pending' ? 'waits for its turn' : 'counting the events';
  const share = total === 0 ? 1 : (total - left) / total;
  const full = Math.round(share * barChars);
  return `[${'#'.repeat(full)}${'.'.repeat(barChars - full)}] ${total - left} of ${total}`;
}
