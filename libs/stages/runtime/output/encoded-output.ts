// Encodes the events of a long output before it goes into a batch, so that others' outputs are appended meanwhile.
import type { Millis } from '../../../domain/message.ts';
import { isDelayed } from '../../../domain/pending/pending.ts';
import { runOutput } from '../../../domain/run/run-output.ts';
import type { RunEnd, RunOutput, SourceMemory } from '../../../domain/run/run-output.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import { eventsOutgoing } from './event-outgoing.ts';

/** Encoding less than this delays nothing noticeably. */
const longBytesMin = 128 * 1024;

/** The encoded result of a run, valid while the source's memory and the run's end are the same objects. */
export interface EncodedOutput {
  readonly memory: SourceMemory;
  readonly end: RunEnd;
  readonly output: RunOutput;
  readonly events: readonly OutgoingOn<'channels'>[];
}

/** Whether an output is encoded ahead; not with delayed emits, which get their places when it goes into its batch. */
export const isLong = ({ bytes, end: { emits } }: TriggerResult): boolean =>
  bytes >= longBytesMin && emits.length > 0 && !emits.some(isDelayed);

/** The encoded output if it is still valid. Undefined: there is none, or memory or end have changed since. */
export const validEncoding = (
  encoded: EncodedOutput | undefined,
  memory: SourceMemory,
  end: RunEnd,
): EncodedOutput | undefined => (encoded?.memory === memory && encoded.end === end ? encoded : undefined);

interface EncodingOptions extends Pick<TaskContext, 'partition' | 'encodeAhead'> {
  readonly now: Millis;
}

/** Encodes in short turns of the event loop. Rejects with PortError `too_large`. */
export async function encodeOutput(
  { trigger, end, strategy }: TriggerResult,
  memory: SourceMemory,
  { now, partition, encodeAhead }: EncodingOptions,
): Promise<EncodedOutput> {
  const output = runOutput(trigger, end, memory, { strategy, now });
  return { memory, end, output, events: await encodeAhead(eventsOutgoing(output.events, partition)) };
}
