// Applies changes of filters at their place among the events: later events use the new filter, also after a restart
// (decision 0062).
import type { Ambient } from '../../../domain/ambient.ts';
import type { ChannelEvent } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Outbox } from '../outbox.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { filtersPlaced } from '../records/filters-placed.ts';

type ChangeRecord = StoredRecord<Extract<ChannelEvent, { readonly type: 'FilterChanged' }>>;

export interface FilterChangesOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'tolerate'>;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class FilterChanges {
  readonly #options: FilterChangesOptions;
  #definitionsEnd: number;
  #closed = false;

  /** `definitionsEnd`: the offset up to which `subscriptions` was read. */
  constructor(options: FilterChangesOptions, definitionsEnd: number) {
    this.#options = options;
    this.#definitionsEnd = definitionsEnd;
  }

  /** Call when everything on `subscriptions` below `next` was read. */
  advanceTo(next: number): void {
    this.#definitionsEnd = next;
  }

  /** Calls `proceed` once the filters that these records name are known or deleted; most often at once. */
  whenFiltersKnown(records: RecordsOn<'channels'>, proceed: () => Promise<void> | void): Promise<void> | void {
    const { registry } = this.#options;
    const isUnknown = (record: RecordOn<'channels'>): boolean =>
      record.type === 'FilterChanged' && !registry.knowsChange(record.data);
    if (!records.some(isUnknown)) return proceed();
    return this.#readDefinitions().then(() => (this.#closed ? undefined : proceed()));
  }

  close(): void {
    this.#closed = true;
  }

  /** Applies the next record: events after it use the filter that it names. */
  apply({ data, offset, workspace }: ChangeRecord): void {
    const { registry, outbox, context, ambient } = this.#options;
    const { partition } = context;
    const places = registry.placeChange(data, offset);
    if (places === undefined) return;
    const placed = { subscriptionId: data.subscriptionId, places };
    outbox.appendNow({
      topic: 'cursors',
      partition,
      record: filtersPlaced(placed, { workspace, partition, at: ambient.now() }),
    });
  }

  /** Reads definitions early: topics are read concurrently, so a change can come before its definition. */
  async #readDefinitions(): Promise<void> {
    const { context, registry } = this.#options;
    const { log, partition } = context;
    const to = await log.settledEnd('subscriptions', partition);
    await forEachRecord(log, { topic: 'subscriptions', partition, from: this.#definitionsEnd, to }, (record) => {
      if (record.type === 'FilterDefined' && !isTombstone(record))
        context.tolerate(record, () => registry.apply(record));
    });
  }
}
