// Finds the newest mark of a stage's partition; `firstMark` where nothing was appended yet.
import type { OwningStage, TopicName } from '../../../../domain/flow.ts';
import type { StoredRecord } from '../../../../domain/message.ts';
import { PortError } from '../../../../domain/port-error.ts';
import { marksTopic, writeScopeOf, type LogPartition } from '../../../appending/access.ts';
import { firstMark } from '../../../appending/mark-record.ts';
import type { Mark } from '../../../log.ts';
import { nameOf } from '../../kafkajs/client/offsets.ts';
import type { RawMessage } from '../../kafkajs/kafka-protocol.ts';
import { recordOf } from '../../encoding/cloud-event.ts';
import type { MonotonicReads } from './monotonic-reads.ts';
import type { KafkaNames } from '../../kafka-names.ts';
import type { PartitionReader } from './partition-reader.ts';

type EndOf = (topic: string, partition: number) => Promise<number>;

export interface MarksSettings {
  readonly reader: Pick<PartitionReader, 'end' | 'last'>;
  readonly reads: Pick<MonotonicReads, 'end' | 'settledEnd'>;
  readonly names: KafkaNames;
  readonly partitions: number;
}

export class Marks {
  readonly #settings: MarksSettings;

  constructor(settings: MarksSettings) {
    this.#settings = settings;
  }

  /** The newest mark that readers see. A transaction that a lost owner left open may hide newer ones. */
  visibleMark(stage: OwningStage, partition: number): Promise<Mark> {
    const { reader } = this.#settings;
    return this.#newest(stage, partition, (topic, number) => reader.end(topic, number));
  }

  /**
   * The newest mark of all, once no transaction is open. Throws PortError `unavailable` if it cannot be read in time.
   */
  settledMark(stage: OwningStage, partition: number): Promise<Mark> {
    const { reads } = this.#settings;
    return this.#newest(stage, partition, (topic, number) => reads.end(topic, number));
  }

  /** Throws PortError `corrupt` where there are records but no mark: all their work would be done again. */
  async #newest(stage: OwningStage, partition: number, endOf: EndOf): Promise<Mark> {
    const marksPartition: LogPartition = { topic: marksTopic(stage), partition };
    const mark = await this.#lastMessage(marksPartition, endOf);
    if (mark !== undefined) return markOf(mark, marksPartition);
    const nonEmptyPartition = await this.#findNonEmptyPartition(stage, partition, endOf);
    if (nonEmptyPartition === undefined) return firstMark;
    // Another process may have become the first owner since the look above. Its mark was committed with its first
    // records.
    const { reads } = this.#settings;
    const lateMark = await this.#lastMessage(marksPartition, (topic, number) => reads.settledEnd(topic, number));
    if (lateMark !== undefined) return markOf(lateMark, marksPartition);
    const topic = this.#settings.names.topic(marksPartition.topic);
    const what = `${topic} holds no mark of ${stage}/${partition}, and ${this.#nameOf(nonEmptyPartition)} holds records`;
    throw new PortError('corrupt', `${what}: the mark was lost; bring back the topic as it was, or use another prefix`);
  }

  /** Looks in the partitions where only this stage's owner writes, except the one of its marks. */
  async #findNonEmptyPartition(stage: OwningStage, partition: number, endOf: EndOf): Promise<LogPartition | undefined> {
    const { own } = writeScopeOf(stage, partition, this.#settings.partitions);
    for (const ownPartition of own)
      if (ownPartition.topic !== marksTopic(stage) && (await this.#lastMessage(ownPartition, endOf)) !== undefined)
        return ownPartition;
    return undefined;
  }

  async #lastMessage({ topic, partition }: LogPartition, endOf: EndOf): Promise<RawMessage | undefined> {
    const { reader, names } = this.#settings;
    const name = names.topic(topic);
    return reader.last(name, partition, await endOf(name, partition));
  }

  #nameOf({ topic, partition }: LogPartition): string {
    return nameOf({ topic: this.#settings.names.topic(topic), partition });
  }
}

/** Only the owner writes to a marks topic: unlike on other topics, a record that is not a mark must not be skipped. */
function markOf(message: RawMessage, { topic, partition }: { topic: TopicName; partition: number }): Mark {
  const { type, data, offset }: StoredRecord = recordOf(message, topic, partition);
  if (type === 'MarkMoved') return data as Mark;
  const location = `${topic}/${partition} at offset ${offset}`;
  throw new PortError('corrupt', `${location} holds no mark of this log; remove who writes there, and the record`);
}
