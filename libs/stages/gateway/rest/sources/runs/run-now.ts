// Runs a source now: accepted once its trigger is on the log, answered then or, if the client waits, after the run.
import { runIdOf } from '../../../../../domain/run/run-output.ts';
import type { Json } from '../../../../../domain/json.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, tooLarge, tooManyRequests } from '../../../http/api-problem.ts';
import { awaitRun, requestRun, triggerOf } from '../calls/await-run.ts';
import type { WaitOptions } from '../calls/await-run.ts';

export interface RunInput extends WaitOptions {
  readonly source: SourceView;
  readonly event: Json | undefined;
}

/** Without `run`, the run is not known to have ended. */
export interface AcceptedRun {
  readonly runId: string;
  readonly run?: RunView;
}

/** `onDisconnect` is passed a function to call when nobody waits for the answer any more. Throws ApiProblem or PortError. */
export async function runNow(
  parts: Parts<'views' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'>,
  { source, event, by, waits }: RunInput,
  onDisconnect: (leave: () => void) => void,
): Promise<AcceptedRun> {
  checkCanRun(parts, { source, event, by, waits });
  const trigger = triggerOf(parts, source, { kind: 'manual', by, waits, ...(event === undefined ? {} : { event }) });
  const runId = runIdOf(trigger);
  if (!waits) {
    await requestRun(parts, trigger);
    return { runId };
  }
  const { result, run } = await awaitRun(parts, trigger, parts.limits.respondMs, onDisconnect);
  if (run === undefined && result === 'untaken') throw untakenProblem(runId);
  return run === undefined ? { runId } : { runId, run };
}

/** Without `retry-after`: a request that is sent again would be another run. */
const untakenProblem = (runId: string): ApiProblem =>
  new ApiProblem(
    503,
    'unknown_outcome',
    `No runtime has taken the run in time: look at its health. Run ${runId} is accepted, and begins once a runtime takes it. Sent again, it is another run.`,
    { details: { run_id: runId } },
  );

function checkCanRun({ replies }: Parts<'replies'>, { source, event, waits }: RunInput): void {
  if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
  if (event !== undefined && Buffer.byteLength(JSON.stringify(event)) > sizes.endpointBodyBytes)
    throw tooLarge(`event is larger than ${sizes.endpointBodyBytes} bytes as JSON.`);
  if (replies.isSourceFull(source.sourceId)) throw tooManyRequests('The queue of this source is full.');
  if (waits && replies.isCrowded) throw tooManyRequests('Too many requests wait for a response.');
}
