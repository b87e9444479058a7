// Runs a source now: accepted once its trigger is on the log, answered then or, if the client waits, after the run.
import { runIdOf } from '../../../../../domain/run/run-output.ts';
import type { Json } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, tooLarge, tooMany } from '../../../http/api-problem.ts';
import { awaitRun, requestRun, triggerOf } from '../calls/await-run.ts';
import type { Asking } from '../calls/await-run.ts';

export interface AskedRun extends Asking {
  readonly source: SourceView;
  readonly event: Json | undefined;
}

/** Without `run`, the run is not known to have ended. */
export interface AcceptedRun {
  readonly runId: string;
  readonly run?: RunView;
}

/** `onGone` is passed a function to call when nobody waits for the answer any more. Throws ApiProblem or PortError. */
export async function runNow(
  parts: Parts<'views' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'>,
  { source, event, by, waits }: AskedRun,
  onGone: (leave: () => void) => void,
): Promise<AcceptedRun> {
  checkRun(parts, { source, event, by, waits });
  const trigger = triggerOf(parts, source, { kind: 'manual', by, waits, ...(event === undefined ? {} : { event }) });
  const runId = runIdOf(trigger);
  if (!waits) {
    await requestRun(parts, trigger);
    return { runId };
  }
  const { reached, run } = await awaitRun(parts, trigger, parts.limits.respondMs, onGone);
  if (run === undefined && reached === 'untaken') throw untaken(runId);
  return run === undefined ? { runId } : { runId, run };
}

/** Without `retry-after`: a request that is sent again would be another run. */
const untaken = (runId: string): ApiProblem =>
  new ApiProblem(
    503,
    'unknown_outcome',
    `No runtime has taken the run in time: look at its health. Run ${runId} is accepted, and begins once a runtime takes it. Sent again, it is another run.`,
    { details: { run_id: runId } },
  );

function checkRun({ replies }: Parts<'replies'>, { source, event, waits }: AskedRun): void {
  if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
  if (event !== undefined && Buffer.byteLength(JSON.stringify(event)) > sizes.endpointBodyBytes)
    throw tooLarge(`event is larger than ${sizes.endpointBodyBytes} bytes as JSON.`);
  if (replies.isFull(source.sourceId)) throw tooMany('The queue of this source is full.');
  if (waits && replies.crowded) throw tooMany('Too many requests wait for a response.');
}
