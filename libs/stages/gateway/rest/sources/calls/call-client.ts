// Calls sources while clients wait: a few calls for each source, each answered or refused within its time.
import { callExpiredName, callLostName, callRefusedName, waitingCallsMax } from '../../../../../domain/call/call.ts';
import type { CallKind, FormCallKind } from '../../../../../domain/call/call.ts';
import type { FormResponse } from '../../../../../domain/call/form.ts';
import { runIdOf } from '../../../../../domain/run/run-output.ts';
import type { ComponentError } from '../../../../../domain/component/output.ts';
import { isSourceId } from '../../../../../domain/id.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { WaitResult } from '../../../control/waiting/reply-router.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, tooManyRequests } from '../../../http/api-problem.ts';
import type { ProblemExtras } from '../../../http/api-problem.ts';
import { awaitAnswer, awaitRun, triggerOf } from './await-run.ts';
import type { RunTarget, TriggerInput, RunWait } from './await-run.ts';

type RequiredParts = Parts<'views' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'>;

export class CallClient {
  readonly #parts: RequiredParts;
  /** How many calls wait, by source. */
  readonly #waitingCounts = new Map<string, number>();

  constructor(parts: RequiredParts) {
    this.#parts = parts;
  }

  /**
   * Returns the call's run once it has ended. The call counts as waiting until then or its time is over, even if its
   * client leaves: the trigger stays on the log. Throws ApiProblem or PortError.
   */
  async call(caller: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
    return this.#countWhileWaiting(source, () => this.#awaitEnd(caller, source, kind));
  }

  /** Returns the answer for a form. Otherwise like `call`. */
  async ask(caller: Caller, target: RunTarget, question: FormQuestion): Promise<FormResponse> {
    return this.#countWhileWaiting(target, () => this.#awaitAnswer(caller, target, question));
  }

  async #countWhileWaiting<T>({ sourceId }: RunTarget, work: () => Promise<T>): Promise<T> {
    const waitingCount = this.#waitingCounts.get(sourceId) ?? 0;
    if (waitingCount >= waitingCallsMax || this.#parts.replies.isCrowded)
      throw tooManyRequests('Too many calls wait for a response.');
    this.#waitingCounts.set(sourceId, waitingCount + 1);
    try {
      return await work();
    } finally {
      const remaining = (this.#waitingCounts.get(sourceId) ?? 1) - 1;
      if (remaining === 0) this.#waitingCounts.delete(sourceId);
      else this.#waitingCounts.set(sourceId, remaining);
    }
  }

  async #awaitEnd(by: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    const trigger = triggerOf(this.#parts, source, { kind, by, waits: true });
    const { callMs } = this.#parts.limits;
    const { result, run } = await awaitRun(this.#parts, trigger, callMs).catch(asUnknownWait);
    if (run === undefined) throw noAnswerProblem(result, runIdOf(trigger));
    checkServiceError(run.error as unknown as ComponentError | null, run.outcome === 'refused', run.runId);
    return run;
  }

  async #awaitAnswer(by: Caller, target: RunTarget, question: FormQuestion): Promise<FormResponse> {
    const trigger = triggerOf(this.#parts, target, { ...question, by, waits: true });
    const runId = isSourceId(target.sourceId) ? runIdOf(trigger) : undefined;
    // A component that is not deployed is built first, possibly with an installation of its packages.
    const { callMs, installingMs } = this.#parts.limits;
    const answer = await awaitAnswer(this.#parts, trigger, runId === undefined ? installingMs : callMs).catch(
      ignoreUnknownOutcome,
    );
    if (typeof answer !== 'object') throw noAnswerProblem(answer, runId);
    checkServiceError(answer.error ?? null, answer.problems === undefined, runId);
    return answer;
  }
}

/** A form's question to a component. */
export type FormQuestion = TriggerInput & { readonly kind: FormCallKind };

/** Throws if the error is not the component's own. `isRefused`: no component can have thrown it. */
function checkServiceError(error: ComponentError | null, isRefused: boolean, runId: string | undefined): void {
  const { name, message } = error ?? { name: '', message: '' };
  if (name === callLostName) throw new ApiProblem(503, 'call_lost', message, runDetails(runId));
  if (name === callRefusedName && isRefused) throw new ApiProblem(503, 'unavailable', message, runDetails(runId));
  if (name === callExpiredName) throw timedOutProblem(runId, message);
}

/** It is unknown whether the call is on the log: it might still be carried out. */
function asUnknownWait(error: unknown): RunWait {
  return { result: ignoreUnknownOutcome(error) };
}

function ignoreUnknownOutcome(error: unknown): undefined {
  if (error instanceof PortError && error.code === 'unknown_outcome') return undefined;
  throw error;
}

/** Without `retry-after`: no client should send a call again, since calls are never repeated. */
const runDetails = (runId: string | undefined): ProblemExtras =>
  runId === undefined ? {} : { details: { run_id: runId } };

/** Without `runId`: a call of a component that is not deployed. */
const timedOutProblem = (
  runId: string | undefined,
  message = `The call has not ended in time. It may still end, and is never repeated${runId === undefined ? '.' : ': its run says how.'}`,
): ApiProblem => new ApiProblem(504, 'call_timed_out', message, runDetails(runId));

function noAnswerProblem(result: WaitResult | undefined, runId: string | undefined): ApiProblem {
  if (result === 'timed_out') return timedOutProblem(runId);
  const explanation =
    result === 'untaken'
      ? 'No runtime has taken the call in time: look at its health. It may still be carried out, once at most'
      : 'It is not known how the call has ended. It is never repeated';
  return new ApiProblem(
    503,
    'unknown_outcome',
    `${explanation}${runId === undefined ? '.' : ': its run says how.'}`,
    runDetails(runId),
  );
}
