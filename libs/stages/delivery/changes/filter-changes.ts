// Applies changes of filters at their place among the events: later events go by the new filter, also after a restart
// (decision 0062).
import type { Ambient } from '../../../domain/ambient.ts';
import type { ChannelEvent } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import { replay } from '../../loop/restoring/page-by-page.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Outbox } from '../outbox.ts';
import type { Registry } from '../subscriptions/subscription-registry.ts';
import { filtersPlaced } from '../records/filters-placed.ts';

type Changed = StoredRecord<Extract<ChannelEvent, { readonly type: 'FilterChanged' }>>;

export interface FilterChangesOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'tolerate'>;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class FilterChanges {
  readonly #options: FilterChangesOptions;
  #definedTo: number;
  #closed = false;

  /** `definedTo`: all below on `subscriptions` was read. */
  constructor(options: FilterChangesOptions, definedTo: number) {
    this.#options = options;
    this.#definedTo = definedTo;
  }

  /** Everything on `subscriptions` below `next` was taken. */
  moved(next: number): void {
    this.#definedTo = next;
  }

  /** Calls `take` once the filters that these records name are known, or are gone; most often at once. */
  ahead(records: RecordsOn<'channels'>, take: () => Promise<void> | void): Promise<void> | void {
    const { registry } = this.#options;
    const isUnknown = (record: RecordOn<'channels'>): boolean =>
      record.type === 'FilterChanged' && !registry.knowsChange(record.data);
    if (!records.some(isUnknown)) return take();
    return this.#read().then(() => (this.#closed ? undefined : take()));
  }

  close(): void {
    this.#closed = true;
  }

  /** Takes the next record: events after it go by the filter that it names. */
  take({ data, offset, workspace }: Changed): void {
    const { registry, outbox, context, ambient } = this.#options;
    const { partition } = context;
    const places = registry.placeChange(data, offset);
    if (places === undefined) return;
    const placed = { subscriptionId: data.subscriptionId, places };
    outbox.control({
      topic: 'cursors',
      partition,
      record: filtersPlaced(placed, { workspace, partition, at: ambient.now() }),
    });
  }

  /** Topics are read side by side: a change among the events may come before its definition, which was written with its request. */
  async #read(): Promise<void> {
    const { context, registry } = this.#options;
    const { log, partition } = context;
    const to = await log.settledEnd('subscriptions', partition);
    await replay(log, { topic: 'subscriptions', partition, from: this.#definedTo, to }, (record) => {
      if (record.type === 'FilterDefined' && !isTombstone(record))
        context.tolerate(record, () => registry.apply(record));
    });
  }
}
