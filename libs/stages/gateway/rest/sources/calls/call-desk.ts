// Calls to sources for which a client waits: a few for each source, each answered or refused within its time.
import { callExpired, callLost, callRefused, callsOfSourceMax } from '../../../../../domain/call/call.ts';
import type { CallKind } from '../../../../../domain/call/call.ts';
import { runIdOf } from '../../../../../domain/channel/run-output.ts';
import type { ComponentError } from '../../../../../domain/component/messages.ts';
import { PortError } from '../../../../../domain/port-error.ts';
import type { RunView, SourceView } from '../../../../../domain/views/index.ts';
import type { Caller } from '../../../control/api-keys.ts';
import type { Gateway } from '../../../gateway.ts';
import { ApiProblem, notFound, tooMany } from '../../../http/api-problem.ts';
import type { ProblemExtras } from '../../../http/api-problem.ts';
import { awaitRun, triggerOf } from '../runs/await-run.ts';
import type { Waited } from '../runs/await-run.ts';

export class CallDesk {
  readonly #gateway: Gateway;
  /** How many wait, by source. */
  readonly #waiting = new Map<string, number>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /**
   * The call's run, which has ended. The call counts as waiting until its run ends or its time is over, even if the
   * client leaves: its trigger stays on the log. Throws ApiProblem or PortError.
   */
  async call(caller: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    const { sourceId } = source;
    const waiting = this.#waiting.get(sourceId) ?? 0;
    if (!source.active || source.state === 'deleting') throw notFound({ state: source.state });
    if (waiting >= callsOfSourceMax || this.#gateway.replies.crowded)
      throw tooMany('Too many calls wait for a response.');
    this.#waiting.set(sourceId, waiting + 1);
    try {
      return await this.#ended(caller, source, kind);
    } finally {
      const left = (this.#waiting.get(sourceId) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(sourceId);
      else this.#waiting.set(sourceId, left);
    }
  }

  async #ended(by: Caller, source: SourceView, kind: CallKind): Promise<RunView> {
    const trigger = triggerOf(this.#gateway, source, { kind, by, waits: true });
    const { callMs } = this.#gateway.limits;
    const { reached, run } = await awaitRun(this.#gateway, trigger, callMs).catch(asUnknown);
    if (run === undefined) throw reached === 'timed_out' ? timedOut(runIdOf(trigger)) : unknown(runIdOf(trigger));
    const { name, message } = (run.error as unknown as ComponentError | null) ?? { name: '', message: '' };
    if (name === callLost) throw new ApiProblem(503, 'call_lost', message, of(run.runId));
    if (name === callRefused && run.outcome === 'refused')
      throw new ApiProblem(503, 'unavailable', message, of(run.runId));
    if (name === callExpired) throw timedOut(run.runId, message);
    return run;
  }
}

/** It is not known whether the log has the call: it may still be carried out. */
function asUnknown(error: unknown): Waited {
  if (error instanceof PortError && error.code === 'unknown_outcome') return { reached: undefined };
  throw error;
}

/** Without `retry-after`: no client should send a call again, since calls are never repeated. */
const of = (runId: string): ProblemExtras => ({ details: { run_id: runId } });

const timedOut = (
  runId: string,
  message = 'The call has not ended in time. It may still end, and is never repeated: its run says how.',
): ApiProblem => new ApiProblem(504, 'call_timed_out', message, of(runId));

const unknown = (runId: string): ApiProblem =>
  new ApiProblem(
    503,
    'unknown_outcome',
    'It is not known how the call has ended. It is never repeated: its run says how.',
    of(runId),
  );
