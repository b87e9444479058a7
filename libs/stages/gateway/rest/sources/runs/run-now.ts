// Running a source now: accepted once its trigger is on the log, answered then, or with the run's record to who waits for it.
import { setTimeout as delay } from 'node:timers/promises';
import { runIdOf } from '../../../../../domain/channel/run-output.ts';
import type { Trigger } from '../../../../../domain/component/messages.ts';
import { partitionOf } from '../../../../../domain/flow.ts';
import { idBytes, idFromBytes } from '../../../../../domain/id.ts';
import type { Json } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Gateway } from '../../../gateway.ts';
import { notFound, tooLarge, tooMany } from '../../../rim/api-problem.ts';

export interface AskedRun {
  readonly source: SourceView;
  readonly event: Json | undefined;
  readonly waits: boolean;
}

/** Without `run` it has not ended, as far as is known. */
export interface AcceptedRun {
  readonly runId: string;
  readonly run?: RunView;
}

/** The views show a run some 20 ms after its end. */
const lookMs = 10;

/** `onGone` is given what is to be called when nobody waits for the answer any more. Throws ApiProblem or PortError. */
export async function runNow(
  gateway: Gateway,
  { source, event, waits }: AskedRun,
  onGone: (leave: () => void) => void,
): Promise<AcceptedRun> {
  const { replies } = gateway;
  checkRun(gateway, { source, event, waits });
  const trigger = triggerOf(gateway, source, { event, waits });
  const runId = runIdOf(trigger);
  if (!waits) {
    await append(gateway, trigger);
    return { runId };
  }
  const { correlationId } = trigger;
  const ended = replies.wait(correlationId, gateway.limits.respondMs);
  onGone(() => replies.leave(correlationId));
  try {
    await append(gateway, trigger);
    const reached = await gateway.watch.whileAnswering(ended);
    const run = reached === 'succeeded' || reached === 'failed' ? await shownRun(gateway, runId) : undefined;
    return run === undefined ? { runId } : { runId, run };
  } finally {
    replies.leave(correlationId);
  }
}

function checkRun({ replies }: Gateway, { source, event, waits }: AskedRun): void {
  if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
  if (event !== undefined && Buffer.byteLength(JSON.stringify(event)) > sizes.endpointBodyBytes)
    throw tooLarge(`event is larger than ${sizes.endpointBodyBytes} bytes as JSON.`);
  if (replies.isFull(source.sourceId)) throw tooMany('The queue of this source is full.');
  if (waits && replies.crowded) throw tooMany('Too many requests wait for a response.');
}

function triggerOf(
  { options }: Gateway,
  { sourceId, revision, workspace }: SourceView,
  { event, waits }: Pick<AskedRun, 'event' | 'waits'>,
): Trigger {
  const { ambient, instanceId } = options;
  const id = idFromBytes('req', ambient.randomBytes(idBytes));
  const carried = event === undefined ? {} : { event };
  return {
    id,
    type: 'TriggerRequested',
    version: 1,
    key: sourceId,
    data: { sourceId, kind: 'manual', revision, ...carried, ...(waits ? { replyTo: instanceId } : {}) },
    at: ambient.now(),
    workspace,
    correlationId: id,
    causationId: id,
  };
}

async function append({ options: { log } }: Gateway, record: Trigger): Promise<void> {
  await log.request({ topic: 'triggers', partition: partitionOf(record.key, log.partitions), record });
}

/** Undefined: the views lag behind it for longer than an answer should wait. */
async function shownRun(gateway: Gateway, runId: string): Promise<RunView | undefined> {
  const deadline = performance.now() + gateway.limits.viewsMs;
  for (;;) {
    const run = (await gateway.views().get('runs', runId))?.value as RunView | undefined;
    if (run !== undefined || performance.now() > deadline) return run;
    await delay(lookMs);
  }
}
