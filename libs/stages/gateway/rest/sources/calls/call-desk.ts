// Calls sources while clients wait: a few calls for each source, each answered or refused within its time.
import { callExpired, callLost, callRefused, callsOfSourceMax } from '../../../../../domain/call/call.ts';
import type { CallKind, FormCallKind } from '../../../../../domain/call/call.ts';
import type { FormAnswer } from '../../../../../domain/call/form.ts';
import { runIdOf } from '../../../../../domain/run/run-output.ts';
import type { ComponentError } from '../../../../../domain/component/output.ts';
import { isSourceId } from '../../../../../domain/id.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Reached } from '../../../control/waiting/reply-desk.ts';
import type { Parts } from '../../../parts/parts.ts';
import { ApiProblem, notFound, tooMany } from '../../../http/api-problem.ts';
import type { ProblemExtras } from '../../../http/api-problem.ts';
import { awaitAnswer, awaitRun, triggerOf } from './await-run.ts';
import type { AskedSource, AskedTrigger, Waited } from './await-run.ts';

type Needed = Parts<'views' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'>;

export class CallDesk {
  readonly #parts: Needed;
  /** How many calls wait, by source. */
  readonly #waiting = new Map<string, number>();

  constructor(parts: Needed) {
    this.#parts = parts;
  }

  /**
   * Returns the call's run once it has ended. The call counts as waiting until then or its time is over, even if its
   * client leaves: the trigger stays on the log. Throws ApiProblem or PortError.
   */
  async call(caller: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
    return this.#counted(source, () => this.#ended(caller, source, kind));
  }

  /** Returns the answer for a form. Otherwise like `call`. */
  async ask(caller: Caller, of: AskedSource, asked: AskedForm): Promise<FormAnswer> {
    return this.#counted(of, () => this.#answered(caller, of, asked));
  }

  async #counted<T>({ sourceId }: AskedSource, ended: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(sourceId) ?? 0;
    if (waiting >= callsOfSourceMax || this.#parts.replies.crowded)
      throw tooMany('Too many calls wait for a response.');
    this.#waiting.set(sourceId, waiting + 1);
    try {
      return await ended();
    } finally {
      const left = (this.#waiting.get(sourceId) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(sourceId);
      else this.#waiting.set(sourceId, left);
    }
  }

  async #ended(by: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    const trigger = triggerOf(this.#parts, source, { kind, by, waits: true });
    const { callMs } = this.#parts.limits;
    const { reached, run } = await awaitRun(this.#parts, trigger, callMs).catch(asUnknown);
    if (run === undefined) throw withoutAnswer(reached, runIdOf(trigger));
    checkBegan(run.error as unknown as ComponentError | null, run.outcome === 'refused', run.runId);
    return run;
  }

  async #answered(by: Caller, of: AskedSource, asked: AskedForm): Promise<FormAnswer> {
    const trigger = triggerOf(this.#parts, of, { ...asked, by, waits: true });
    const runId = isSourceId(of.sourceId) ? runIdOf(trigger) : undefined;
    // A component that is not deployed is built first, possibly with an installation of its packages.
    const { callMs, installingMs } = this.#parts.limits;
    const answer = await awaitAnswer(this.#parts, trigger, runId === undefined ? installingMs : callMs).catch(
      asNoAnswer,
    );
    if (typeof answer !== 'object') throw withoutAnswer(answer, runId);
    checkBegan(answer.error ?? null, answer.problems === undefined, runId);
    return answer;
  }
}

/** A form's question to a component. */
export type AskedForm = AskedTrigger & { readonly kind: FormCallKind };

/** Throws if the error is not the component's own. `isRefused`: no component can have thrown it. */
function checkBegan(error: ComponentError | null, isRefused: boolean, runId: string | undefined): void {
  const { name, message } = error ?? { name: '', message: '' };
  if (name === callLost) throw new ApiProblem(503, 'call_lost', message, of(runId));
  if (name === callRefused && isRefused) throw new ApiProblem(503, 'unavailable', message, of(runId));
  if (name === callExpired) throw timedOut(runId, message);
}

/** It is unknown whether the call is on the log: it might still be carried out. */
function asUnknown(error: unknown): Waited {
  return { reached: asNoAnswer(error) };
}

function asNoAnswer(error: unknown): undefined {
  if (error instanceof PortError && error.code === 'unknown_outcome') return undefined;
  throw error;
}

/** Without `retry-after`: no client should send a call again, since calls are never repeated. */
const of = (runId: string | undefined): ProblemExtras => (runId === undefined ? {} : { details: { run_id: runId } });

/** Without `runId`: a call of a component that is not deployed. */
const timedOut = (
  runId: string | undefined,
  message = `The call has not ended in time. It may still end, and is never repeated${runId === undefined ? '.' : ': its run says how.'}`,
): ApiProblem => new ApiProblem(504, 'call_timed_out', message, of(runId));

function withoutAnswer(reached: Reached | undefined, runId: string | undefined): ApiProblem {
  if (reached === 'timed_out') return timedOut(runId);
  const known =
    reached === 'untaken'
      ? 'No runtime has taken the call in time: look at its health. It may still be carried out, once at most'
      : 'It is not known how the call has ended. It is never repeated';
  return new ApiProblem(
    503,
    'unknown_outcome',
    `${known}${runId === undefined ? '.' : ': its run says how.'}`,
    of(runId),
  );
}
