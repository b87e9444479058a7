// Makes the event on channel `$logs` for a run that wrote to its console: the lines and the outcome.
import type { TriggerKind } from '../source/messages.ts';
import type { ConsoleLine } from '../component/output.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { Json, JsonObject } from '../json.ts';
import type { RunOutcome } from '../channel/messages.ts';

/** The channel; names that begin with `$` are reserved for the service. */
export const logsChannel = '$logs';

export interface LoggedRun {
  readonly runId: string;
  readonly kind: TriggerKind;
  readonly outcome: RunOutcome;
  /** Already masked and bounded. */
  readonly console: readonly ConsoleLine[];
}

export const logsEventOf = ({ runId, kind, outcome, console }: LoggedRun): JsonObject => ({
  run_id: runId,
  kind,
  outcome,
  console: console.map(({ level, text, at }): Json => ({ level, text, ts: at })),
});

/** Undefined: the run has written nothing. If the event is larger than `bytesMax`, it leaves the console out. */
export function logsReport(run: LoggedRun, bytesMax: number): EmitCall | undefined {
  if (run.console.length === 0) return undefined;
  const event = logsEventOf(run);
  if (Buffer.byteLength(JSON.stringify(event)) <= bytesMax) return { channel: logsChannel, event };
  return { channel: logsChannel, event: { ...event, console: [], omitted: ['console'] } };
}
