// Makes the end of a trigger that carries its emits: nothing is run, and it counts as a run that emitted just those.
import { sizeEmits } from '../../../domain/run/run-emits.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { EmitCall } from '../../../domain/component/emit-call.ts';
import { ended, measured } from './finished.ts';
import type { Begun, Finished } from './finished.ts';

/** An emit on one of the service's own channels, which no dedupe strategy drops. */
const isOwn = ({ channel }: EmitCall): boolean => channel.startsWith('$');

/** Emits above their size limit are left out, and named in the run's error. */
export function carried(begun: Begun, emits: readonly EmitCall[], strategy: DedupeStrategy | undefined): Finished {
  const sized = sizeEmits(emits);
  const said = { emits: sized.emits.filter((emit) => !isOwn(emit)), reports: sized.emits.filter(isOwn) };
  const end = { ...ended(sized.error), startedAt: begun.startedAt, durationMs: 0, console: [], ...said };
  return measured(begun, { end, strategy, dbWrites: [], isWarm: false }, sized.bytes);
}
