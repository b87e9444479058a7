// Requests a run and waits for it: its end arrives as a transient answer, its record comes from the views.
import { setTimeout as delay } from 'node:timers/promises';
import type { FormResponse } from '../../../../../domain/call/form.ts';
import { errorsChannel } from '../../../../../domain/run/errors-report.ts';
import { runIdOf } from '../../../../../domain/run/run-output.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import type { Trigger } from '../../../../../domain/source/messages.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { eventKey, orderOfTime } from '../../../../../domain/views/index.ts';
import type { EventView, RunView, SourceView } from '../../../../../domain/views/index.ts';
import { Backoff } from '../../../../../primitives/backoff.ts';
import type { ViewBuild, ViewDocument } from '../../../../../view-store/view-store.ts';
import { waitForCheckpoint } from '../../../../../view-store/wait-for-checkpoint.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { WaitResult } from '../../../control/waiting/reply-router.ts';
import type { Parts } from '../../../parts/parts.ts';
import { requestRecord } from '../../../commands/request-record.ts';

/** The views show a run some 20 ms after its end, but later if it follows one with many events. */
const firstPollMs = 10;
const pollMsMax = 250;

/** What the source has to do. */
export type TriggerInput = Pick<Trigger['data'], 'kind' | 'event' | 'asked' | 'code' | 'entry' | 'files'>;

/** The source to run, or a stand-in for one. */
export type RunTarget = Pick<SourceView, 'sourceId' | 'revision' | 'workspace'>;

export interface RunWait {
  /** How the wait ended; undefined: the log was lost meanwhile. */
  readonly result: WaitResult | undefined;
  /** Absent: the run is not known to have ended, or the views do not show it yet. */
  readonly run?: RunView;
}

export interface WaitOptions {
  readonly by: Caller;
  /** Whether runtime reports the end of the run to this gateway. */
  readonly waits: boolean;
}

export function triggerOf(
  { ambient, instanceId }: Parts<'ambient' | 'instanceId'>,
  { sourceId, revision, workspace }: RunTarget,
  { waits, by, ...input }: TriggerInput & WaitOptions,
): Trigger {
  const data = { sourceId, revision, ...input, ...(waits ? { replyTo: instanceId } : {}) };
  return requestRecord(ambient, { ...by, workspace }, { type: 'TriggerRequested', data, key: sourceId });
}

export async function requestRun({ log }: Parts<'log'>, record: Trigger): Promise<void> {
  await log.request({ topic: 'triggers', partition: partitionOf(record.key, log.partitions), record });
}

/**
 * `onDisconnect` is passed a function to call when nobody waits for the answer any more; without it, always waits for the
 * end. Throws PortError.
 */
export async function awaitRun(
  parts: Parts<'views' | 'log' | 'watch' | 'replies' | 'limits'>,
  trigger: Trigger,
  timeoutMs: number,
  onDisconnect?: (leave: () => void) => void,
): Promise<RunWait> {
  const { replies } = parts;
  const { correlationId } = trigger;
  const deadline = performance.now() + timeoutMs;
  const ended = replies.wait(correlationId, timeoutMs);
  onDisconnect?.(() => replies.cancelWait(correlationId));
  try {
    await requestRun(parts, trigger);
    const result = await parts.watch.whileLogAnswers(ended);
    const runId = runIdOf(trigger);
    const run = (await hasEnded(parts, runId, result)) ? await readShownRun(parts, runId, deadline) : undefined;
    return { result, ...(run === undefined ? {} : { run }) };
  } finally {
    replies.cancelWait(correlationId);
  }
}

/** Like `awaitRun`, for a call that answers with a value. Undefined: its outcome is unknown. */
export async function awaitAnswer(
  parts: Parts<'log' | 'watch' | 'replies'>,
  trigger: Trigger,
  timeoutMs: number,
): Promise<FormResponse | 'untaken' | 'timed_out' | undefined> {
  const { replies } = parts;
  const { correlationId } = trigger;
  const ended = replies.wait(correlationId, timeoutMs);
  try {
    await requestRun(parts, trigger);
    const result = await parts.watch.whileLogAnswers(ended);
    if (result === 'timed_out' || result === 'untaken') return result;
    return typeof result === 'object' && 'form' in result ? result.form : undefined;
  } finally {
    replies.cancelWait(correlationId);
  }
}

/** Without any report the end might have been missed: replies are lost if runtime is killed after its append. */
async function hasEnded({ views }: Parts<'views'>, runId: string, result: WaitResult | undefined): Promise<boolean> {
  if (result !== 'untaken') return result === 'succeeded' || result === 'failed' || result === 'gone';
  return (await views().get('runs', runId).catch(ignoreRetryable)) !== undefined;
}

/**
 * The run, once lists show the events that it names and, if it failed, its event on `$errors`; without waiting for them
 * beyond both `viewsMs` and the deadline. Undefined: the run itself is not shown by then.
 */
async function readShownRun(
  parts: Parts<'views' | 'log' | 'limits'>,
  runId: string,
  callDeadline: number,
): Promise<RunView | undefined> {
  const deadline = Math.max(callDeadline, performance.now() + parts.limits.viewsMs);
  const views = parts.views();
  const run = (await pollUntilFound(() => views.get('runs', runId), deadline))?.value as RunView | undefined;
  if (run === undefined) return undefined;
  const event = await lastEventOf(parts, run, deadline);
  if (event === undefined) return run;
  const partition = partitionOf(run.sourceId, parts.log.partitions);
  const remainingMs = deadline - performance.now();
  await waitForCheckpoint(views, { topic: 'channels', partition, offset: event.version }, remainingMs).catch(
    ignoreRetryable,
  );
  return run;
}

/** Undefined: the run has none, or it is not shown in time. */
async function lastEventOf(
  { views, limits }: Parts<'views' | 'limits'>,
  run: RunView,
  deadline: number,
): Promise<ViewDocument | undefined> {
  // Its event on `$errors` comes after those that it names. Calls have none, and somebody might have deleted it.
  if (run.outcome === 'failed' && run.kind === 'manual')
    return pollUntilFound(errorEventFinder(views, run), performance.now() + limits.viewsMs);
  const last = run.emitted.at(-1);
  return last === undefined
    ? undefined
    : pollUntilFound(() => views().get('events', eventKey(run.sourceId, last)), deadline);
}

/** Error events read at a time: those of concurrent runs that ended earlier come first. */
const errorEventsMax = 32;

/** Each look continues after the previous one: what is listed later comes after it. */
function errorEventFinder(views: () => ViewBuild, { sourceId, runId, startedAt }: RunView) {
  let after = { sort: orderOfTime(startedAt), id: '' };
  return async (): Promise<ViewDocument | undefined> => {
    for (;;) {
      const query = { index: 'byChannel', equals: [sourceId, errorsChannel], order: 'ascending', after } as const;
      const errorEvents = await views().find('events', { ...query, limit: errorEventsMax });
      const match = errorEvents.find(({ value }) => (value as EventView).runId === runId);
      const last = errorEvents.at(-1);
      if (match !== undefined || last === undefined) return match;
      after = { sort: (last.value as EventView).order, id: last.id };
      if (errorEvents.length < errorEventsMax) return undefined;
    }
  };
}

async function pollUntilFound<T>(read: () => Promise<T | undefined>, deadline: number): Promise<T | undefined> {
  for (const backoff = new Backoff(firstPollMs, pollMsMax); ;) {
    const value = await read().catch(ignoreRetryable);
    const remainingMs = deadline - performance.now();
    if (value !== undefined || remainingMs <= 0) return value;
    await delay(Math.min(backoff.next(), remainingMs));
  }
}

/** The run has ended: a failure of the views must not look as if nothing had been done. */
function ignoreRetryable(error: unknown): undefined {
  if (error instanceof PortError && error.retryable) return undefined;
  throw error;
}
