// Marks as records: what `marks.<stage>` holds for each owned partition.
import type { OwningStage } from '../../domain/flow.ts';
import { derivedId } from '../../domain/id.ts';
import type { MarkMoved } from '../../domain/mark/messages.ts';
import type { Millis } from '../../domain/message.ts';
import { marksTopic } from './access.ts';
import type { Mark, Outgoing } from '../log.ts';

/** The mark of a stage that has never appended anything. */
export const firstMark: Mark = { positions: {}, generation: 0, batch: 0 };

export function markRecord(stage: OwningStage, partition: number, mark: Mark, at: Millis): Outgoing {
  const id = derivedId('rec', 'mark', stage, partition, mark.generation, mark.batch);
  const record: MarkMoved = {
    id,
    type: 'MarkMoved',
    version: 1,
    key: String(partition),
    data: mark,
    at,
    workspace: '',
    correlationId: id,
    causationId: id,
  };
  return { topic: marksTopic(stage), partition, record };
}
