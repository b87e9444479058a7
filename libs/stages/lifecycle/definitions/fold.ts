// Makes definitions for a log that has only histories: reads these once, appends the definitions in portions, and marks
// each partition as complete with a closing record.
import { hasSeveralSteps } from '../../../domain/source/state/sources.ts';
import { answerEventOf } from '../../../domain/definition/recorded-requests.ts';
import { derivedId } from '../../../domain/id.ts';
import type { ListenerEvent } from '../../../domain/listener/messages.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import { positionKey } from '../../../log/log.ts';
import type { Log } from '../../../log/log.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { ControlPlane } from '../control-plane.ts';
import { bytesOf } from '../output-records.ts';
import type { LifecycleOutgoing } from '../output-records.ts';
import { DefinitionRecords, definitionRecord } from './definition-records.ts';
import type { Cause, DefinitionTopic } from './definition-records.ts';
import { partitionsOf, readPartitions } from './topic-partitions.ts';

/** The size of one append: during a larger one, other appends would wait too long. */
const portionBytesMax = 1024 * 1024;
/** The format of the definitions, recorded in the closing records. */
const format = 1;
const foldedKey = 'folded';

const closedTopics = ['sources', 'webhooks', 'subscriptions'] as const;

/** The number of partitions that have a closing record once the fold is complete. */
export const closingRecordCount = (log: Pick<Log, 'partitions'>): number =>
  closedTopics.reduce((count, topic) => count + partitionsOf(topic, log).length, 0);

export class DefinitionsFold {
  readonly plane: ControlPlane;
  readonly #interrupted: ControlPlane;
  readonly #log: Log;
  readonly #records: DefinitionRecords;
  readonly #channelEnds = new Map<string, readonly number[]>();
  #portions: Iterator<readonly LifecycleOutgoing[]> | undefined;

  /** `interrupted`: the state by an interrupted fold's definitions; some of it might have been deleted since. */
  constructor(plane: ControlPlane, interrupted: ControlPlane, log: Log) {
    this.plane = plane;
    this.#interrupted = interrupted;
    this.#log = log;
    this.#records = new DefinitionRecords(plane, log.partitions);
  }

  /**
   * Reads the histories to their ends, then the hook outcomes below the mark: only these say how far an unfinished
   * deploy or update is, and what it has printed.
   */
  async read({ log, tolerate, mark }: Pick<TaskContext, 'log' | 'tolerate' | 'mark'>): Promise<void> {
    const { plane } = this;
    /** The correlation id of each source's last update: only outcomes with this id say how far it is. */
    const updates = new Map<string, string>();
    await readPartitions(log, 'components', (record) =>
      tolerate(record, () => {
        plane.evolve({ topic: 'components', record }, record.offset);
        if (record.type === 'SourceUpdating') updates.set(record.key, record.correlationId);
      }),
    );
    await readPartitions(log, 'listeners', (record) =>
      tolerate(record, () => {
        plane.evolve({ topic: 'listeners', record });
        this.#recordChannelEnds(record);
      }),
    );
    for (const partition of partitionsOf('hooks', log)) {
      const to = mark.positions[positionKey('hooks', partition)] ?? 0;
      await forEachRecord(log, { topic: 'hooks', partition, to }, (record) => {
        const isOfLastUpdate = (updates.get(record.key) ?? record.correlationId) === record.correlationId;
        if (isOfLastUpdate && hasSeveralSteps(plane.sources, record.key))
          tolerate(record, () => plane.evolve({ topic: 'hooks', record }));
      });
    }
  }

  /** The next portion to append; undefined once there is none left. */
  take(at: number): readonly LifecycleOutgoing[] | undefined {
    this.#portions ??= portionsOf(this.#groups(at));
    const { value, done } = this.#portions.next() as IteratorResult<readonly LifecycleOutgoing[], undefined>;
    return done === true ? undefined : value;
  }

  #recordChannelEnds(event: ListenerEvent): void {
    if (event.type === 'SubscriptionCreated') this.#channelEnds.set(event.data.subscriptionId, event.data.channelEnds);
    if (event.type === 'SubscriptionDeleted') this.#channelEnds.delete(event.data.subscriptionId);
  }

  /** Groups of records, each appended as a whole. The closing records come last. */
  *#groups(at: number): Generator<readonly LifecycleOutgoing[]> {
    const { sources, listeners, requests } = this.plane;
    const causeOf = (id: string, workspace: string): Cause => {
      const causeId = derivedId('rec', 'folded', id, at);
      return { id: causeId, at, workspace, correlationId: chainFrom(causeId, 'lifecycle').correlationId };
    };
    yield* this.#staleTombstones((id) => causeOf(id, ''));
    for (const [id, { workspace }] of sources.byId) yield [this.#records.source(id, causeOf(id, workspace))];
    for (const [id, { workspace }] of listeners.webhooks) yield [this.#records.webhook(id, causeOf(id, workspace))];
    for (const [id, { workspace }] of listeners.subscriptions) {
      const cause = causeOf(id, workspace);
      yield [
        ...this.#records.filters(id, cause),
        ...this.#records.subscription(id, this.#channelEnds.get(id) ?? [], cause),
      ];
    }
    for (const [key, { workspace, gone }] of requests)
      if (gone) yield [this.#records.keptAnswer(key, answerEventOf(requests, key), causeOf(key, workspace))];
    yield this.#closingRecords(causeOf(foldedKey, ''));
  }

  /** Tombstones for what the interrupted fold defined and was deleted since. */
  *#staleTombstones(causeOf: (id: string) => Cause): Generator<readonly LifecycleOutgoing[]> {
    const { sources, listeners, requests } = this.plane;
    const interrupted = this.#interrupted;
    for (const id of interrupted.sources.byId.keys())
      if (!sources.byId.has(id)) yield [this.#records.source(id, causeOf(id))];
    for (const id of interrupted.listeners.webhooks.keys())
      if (!listeners.webhooks.has(id)) yield [this.#records.webhook(id, causeOf(id))];
    for (const [id, { triple }] of interrupted.listeners.subscriptions)
      if (!listeners.subscriptions.has(id)) yield this.#records.subscriptionTombstones(id, triple, causeOf(id));
    for (const key of interrupted.requests.keys())
      if (requests.get(key)?.gone !== true) yield [this.#records.keptAnswer(key, undefined, causeOf(key))];
  }

  #closingRecords(cause: Cause): readonly LifecycleOutgoing[] {
    const closingKeys = closedTopics.flatMap((topic: DefinitionTopic) =>
      partitionsOf(topic, this.#log).map((partition) => ({ topic, partition, key: foldedKey })),
    );
    return closingKeys.map((place) => definitionRecord(place, { type: 'DefinitionsFolded', data: { format } }, cause));
  }
}

function* portionsOf(groups: Iterable<readonly LifecycleOutgoing[]>): Generator<readonly LifecycleOutgoing[]> {
  let portion: LifecycleOutgoing[] = [];
  let bytes = 0;
  for (const group of groups) {
    const size = group.reduce((sum, { record }) => sum + bytesOf(record), 0);
    if (portion.length > 0 && bytes + size > portionBytesMax) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(...group);
    bytes += size;
  }
  yield portion;
}
