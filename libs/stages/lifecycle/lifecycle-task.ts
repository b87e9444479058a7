// The task of the lifecycle stage: decides about commands and hook outcomes, and appends the events and triggers.
import type { Ambient } from '../../domain/ambient.ts';
import { recordOffset } from '../../domain/source/state/sources.ts';
import type { Appends, Reads } from '../../domain/flow.ts';
import type { StoredRecord } from '../../domain/message.ts';
import type { RecordOn, RecordsOn } from '../../domain/messages-of.ts';
import { PortError } from '../../domain/port-error.ts';
import { positionKey } from '../../log/log.ts';
import type { OutgoingOn, Position } from '../../log/log.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import { NewerRecordError } from '../loop/reading/unusable.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import { removeExpiredRequests } from '../../domain/definition/recorded-requests.ts';
import { GoneWebhookAlerts } from './alerts/gone-webhook-alerts.ts';
import { startOffsetsOf } from './definitions/start-offsets.ts';
import { readConfiguration } from './read-configuration.ts';
import { DefinitionRecords } from './definitions/definition-records.ts';
import { refuseTooLarge } from './definitions/filter-sizes.ts';
import { refuseDroppingNeeded } from './definitions/needed-filters.ts';
import { partitionsOf } from './definitions/topic-partitions.ts';
import type { Restored } from './definitions/restore-control-plane.ts';
import { Outbox } from './outbox.ts';
import { recordOf } from './output-records.ts';
import type { FactTopic, LifecycleDecided, LifecycleOutgoing } from './output-records.ts';
import { readableEnvelope, refusalOf } from './refusals.ts';
import type { Input } from './refusals.ts';
import type { RetentionMover } from './retention/mover.ts';

/** Two appends: one is written while the next one fills. With more waiting, reading pauses. */
const waitingBytesMax = 16 * 1024 * 1024;

/** The number of subscriptions' tombstones in one append: some 100 KiB, made in a few milliseconds. */
const endedPerAppend = 256;

/** Called with a record when deciding about it threw: it is skipped and stays on the log. */
export type OnSkipped = (record: StoredRecord, error: unknown) => void;

export interface LifecycleTaskOptions {
  readonly restored: Restored;
  readonly context: TaskContext;
  readonly ambient: Ambient;
  readonly onSkipped: OnSkipped;
  /** Makes the mover, which appends through the given function; undefined: everything is kept forever. */
  readonly retention?: ((append: (outgoing: LifecycleOutgoing) => void) => RetentionMover) | undefined;
}

export class LifecycleTask implements StageTask<Reads<'lifecycle'>, Appends<'lifecycle'>> {
  readonly start: readonly Position<Reads<'lifecycle'>>[];
  readonly #options: LifecycleTaskOptions;
  readonly #outbox = new Outbox();
  readonly #definitions: DefinitionRecords;
  readonly #retention: RetentionMover | undefined;
  readonly #goneWebhooks: GoneWebhookAlerts;
  #paused = false;

  constructor(options: LifecycleTaskOptions) {
    this.#options = options;
    const { log, mark, alerts } = options.context;
    this.#definitions = new DefinitionRecords(options.restored.plane, log.partitions);
    this.start = (['commands', 'hooks'] as const).flatMap((topic) =>
      partitionsOf(topic, log).map((partition) => {
        return { topic, partition, offset: mark.positions[positionKey(topic, partition)] ?? 0 };
      }),
    );
    this.#retention = options.retention?.((outgoing) => this.#append(outgoing));
    this.#retention?.start();
    this.#goneWebhooks = new GoneWebhookAlerts(options.restored.plane.listeners, alerts);
  }

  async handle(records: RecordsOn<Reads<'lifecycle'>>, next: number): Promise<void> {
    const channelEnds = this.#channelEndsReader();
    this.#forgetRequests();
    for (const [index, record] of records.entries()) {
      const isLast = index === records.length - 1;
      const position = positionKey(record.topic, record.partition);
      const outgoing = await this.#decide(record, channelEnds);
      this.#outbox.add(outgoing, { [position]: isLast ? next : record.offset + 1 });
    }
    this.#options.context.ready();
    this.#pauseOrResume();
  }

  /** Refuses a malformed command; a malformed outcome ends the process that waits for it. */
  skipMalformed(malformed: MalformedRecord, next: number): void {
    const { topic, partition } = malformed;
    this.#outbox.add(this.#refuse(malformed), { [positionKey(topic, partition)]: next });
    this.#options.context.ready();
    this.#pauseOrResume();
  }

  takeOutput(bytesMax: number): Output<Appends<'lifecycle'>> | undefined {
    const folded = this.#options.restored.fold?.take(this.#options.ambient.now());
    if (folded !== undefined) return { records: folded, positions: {} };
    const output = this.#outbox.take(bytesMax) ?? this.#takeEnded();
    this.#pauseOrResume();
    return output;
  }

  onCommitted({ records }: Output<Appends<'lifecycle'>>, offsets: readonly number[]): void {
    const { componentsEnds, plane } = this.#options.restored;
    for (const [i, { topic, partition, record }] of records.entries()) {
      const offset = offsets[i];
      if (topic !== 'components' || offset === undefined) continue;
      componentsEnds[partition] = offset + 1;
      recordOffset(plane.sources, record, offset);
    }
  }

  async stop(): Promise<void> {
    this.#goneWebhooks.close();
    this.#retention?.close();
  }

  /** Appends a record that no input caused. */
  #append(outgoing: LifecycleOutgoing): void {
    this.#outbox.add([outgoing], {});
    this.#options.context.ready();
  }

  /** The state changes at once: if the append fails, the task ends and the next one restores from the log. */
  async #decide(
    record: RecordOn<Reads<'lifecycle'>>,
    channelEnds: () => Promise<readonly number[]>,
  ): Promise<readonly LifecycleOutgoing[]> {
    const { restored, ambient, onSkipped } = this.#options;
    const { plane } = restored;
    const at = ambient.now();
    try {
      if (record.topic === 'hooks') {
        const place = plane.currentConfigurationPlace(record);
        const configuration =
          place === undefined ? undefined : await readConfiguration(this.#options.context.log, place);
        return this.#accept(record, plane.decideOutcome(record, at, configuration), at);
      }
      const startOffsets = await this.#startOffsetsFor(record, channelEnds);
      return this.#accept(record, plane.decide(record, { at, channelEnds: startOffsets }), at);
    } catch (error) {
      if (error instanceof PortError || error instanceof NewerRecordError) throw error;
      onSkipped(record, error);
      return this.#refuseUndecided(record);
    }
  }

  /** The offset in each partition of `channels` at which a new subscription begins; empty for other commands. */
  async #startOffsetsFor(
    record: RecordOn<Reads<'lifecycle'>>,
    channelEnds: () => Promise<readonly number[]>,
  ): Promise<readonly number[]> {
    if (record.type !== 'CreateSubscription') return [];
    return startOffsetsOf(this.#options.context.log, record.data, channelEnds);
  }

  /** For a record that can be read, but about which deciding failed. */
  #refuseUndecided(record: RecordOn<Reads<'lifecycle'>>): readonly LifecycleOutgoing[] {
    const { type, topic, partition, offset } = record;
    const what = `A ${type} on ${topic} could not be decided about and was passed over.`;
    this.#options.context.alerts.raise('malformed_record', topic, `${what} Report it with the process log.`);
    return this.#refuse({ topic, partition, offset, problem: 'deciding about it failed', record });
  }

  #refuse(malformed: MalformedRecord): readonly LifecycleOutgoing[] {
    const { ambient, context } = this.#options;
    const input = readableEnvelope(malformed);
    if (input === undefined) return [];
    const at = ambient.now();
    const refuse = (): readonly LifecycleOutgoing[] => {
      if (malformed.topic === 'hooks') return this.#endProcess(input, at);
      const refusal = refusalOf(malformed);
      return refusal === undefined ? [] : this.#records(input, [refusal], at);
    };
    const { topic, partition, offset } = malformed;
    return context.tolerate({ topic, partition, offset, type: input.type }, refuse) ?? [];
  }

  #accept(
    input: RecordOn<Reads<'lifecycle'>>,
    decided: readonly LifecycleDecided[],
    at: number,
  ): readonly LifecycleOutgoing[] {
    const { plane } = this.#options.restored;
    const { partitions } = this.#options.context.log;
    const accepted = decided.map((one) => {
      const fits = refuseTooLarge(one, plane.listeners, partitions);
      return refuseDroppingNeeded(fits, input, plane.listeners, partitions);
    });
    this.#goneWebhooks.apply(accepted);
    const outgoing = this.#records(input, accepted, at);
    for (const { topic, record } of outgoing) if (topic === 'keys') plane.checkKey(record);
    if (input.topic === 'hooks') plane.evolve({ topic: 'hooks', record: input });
    return this.#withDefinitions(outgoing, input);
  }

  #endProcess(input: Input, at: number): readonly LifecycleOutgoing[] {
    const { plane } = this.#options.restored;
    const message = `What came of running the component (${input.type}) cannot be used. Deploy it again.`;
    return this.#withDefinitions(this.#records(input, plane.decideUnusable(input.key, message), at), input);
  }

  /** Appended in steps after everything else: the state no longer has these subscriptions anyway. */
  #takeEnded(): Output<Appends<'lifecycle'>> | undefined {
    const records = this.#definitions.takeEndedTombstones(endedPerAppend, this.#options.ambient.now());
    return records.length === 0 ? undefined : { records, positions: {} };
  }

  #withDefinitions(facts: readonly OutgoingOn<FactTopic>[], input: Input): readonly LifecycleOutgoing[] {
    const { componentsEnds } = this.#options.restored;
    return this.#definitions.take(facts, input, (partition) => componentsEnds[partition] ?? 0);
  }

  #forgetRequests(): void {
    const { restored, ambient } = this.#options;
    const at = ambient.now();
    const forgotten = this.#definitions.forgottenTombstones(removeExpiredRequests(restored.plane.requests, at), at);
    if (forgotten.length > 0) this.#outbox.add(forgotten, {});
  }

  #records(input: Input, decided: readonly LifecycleDecided[], at: number): readonly OutgoingOn<FactTopic>[] {
    const { partitions } = this.#options.context.log;
    return decided.map((one) => recordOf(one, { input, at, partitions }));
  }

  /** Reads the ends at most once a page, when they are first needed. */
  #channelEndsReader(): () => Promise<readonly number[]> {
    const { log } = this.#options.context;
    let ends: Promise<readonly number[]> | undefined;
    return () =>
      (ends ??= Promise.all(partitionsOf('channels', log).map((partition) => log.end('channels', partition))));
  }

  #pauseOrResume(): void {
    const { context } = this.#options;
    const isFull = this.#outbox.bytes > waitingBytesMax;
    if (isFull === this.#paused) return;
    this.#paused = isFull;
    for (const { topic, partition } of this.start) {
      if (isFull) context.pause(topic, partition);
      else context.resume(topic, partition);
    }
  }
}
