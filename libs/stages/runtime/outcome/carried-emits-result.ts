// Makes the end of a trigger that carries its emits: nothing is run, and it counts as a run that emitted just those.
import { sizeEmits } from '../../../domain/run/run-emits.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { EmitCall } from '../../../domain/component/emit-call.ts';
import { outcomeOf, resultOf } from './trigger-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';

/** An emit on one of the service's own channels, which no dedupe strategy drops. */
const isOnServiceChannel = ({ channel }: EmitCall): boolean => channel.startsWith('$');

/** Emits above their size limit are left out, and named in the run's error. */
export function carriedEmitsResult(
  attempt: Attempt,
  emits: readonly EmitCall[],
  strategy: DedupeStrategy | undefined,
): TriggerResult {
  const sized = sizeEmits(emits);
  const emitted = {
    emits: sized.emits.filter((emit) => !isOnServiceChannel(emit)),
    reports: sized.emits.filter(isOnServiceChannel),
  };
  const end = { ...outcomeOf(sized.error), startedAt: attempt.startedAt, durationMs: 0, console: [], ...emitted };
  return resultOf(attempt, { end, strategy, dbWrites: [], isWarm: false }, sized.bytes);
}
