// The task of audit: appends a leaf for every record to the tree of its partition, and signs the trees in rounds.
import type { Ambient } from '../../domain/ambient.ts';
import { treeKey } from '../../domain/audit/messages.ts';
import type { CheckpointSigned } from '../../domain/audit/messages.ts';
import type { PartitionTree } from '../../domain/audit/partition-tree.ts';
import type { Appends, Reads } from '../../domain/flow.ts';
import { signedRecord } from '../../domain/history/signed-line.ts';
import type { LogRecord, StoredRecord } from '../../domain/message.ts';
import type { RecordsOn } from '../../domain/messages-of.ts';
import type { RetentionMoved } from '../../domain/retention/messages.ts';
import { isExpiredRecord } from '../../domain/views/deletion/expired-record.ts';
import { positionKey } from '../../log/log.ts';
import type { Position } from '../../log/log.ts';
import type { Count } from '../../primitives/metrics/series.ts';
import { Turn } from '../../primitives/event-loop/turn.ts';
import { hashOfLeaf } from '../../verifier/leaf.ts';
import { areFromTopic } from '../loop/reading/page-topic.ts';
import type { MalformedRecord } from '../loop/reading/unusable.ts';
import type { Output, StageTask, TaskContext } from '../loop/stage.ts';
import type { Restored } from './restore-trees.ts';
import { checkpointRecords, witnessRecords } from './signing/checkpoint-records.ts';
import type { AuditOutgoing } from './signing/checkpoint-records.ts';
import { RoundClock } from './signing/round-clock.ts';
import { isPassing, ExpectedTrimming } from './trimming/expected-trimming.ts';

/** The most checkpoints of one append: 50 KB each at most, and some milliseconds of signing. */
const signsMax = 32;
/** The most checkpoints in the `$audit` events of one append, for all workspaces together: about 800 bytes each. */
const witnessedMax = 4_096;
/** The most full windows that wait to be signed; with more, reading pauses. */
const waitingWindowsMax = 64;

type Read = Reads<'audit'>;
const retentionKey = positionKey('retention', 0);

export interface AuditTaskOptions {
  readonly context: TaskContext;
  readonly ambient: Ambient;
  readonly restored: Restored;
  readonly checkpointMs: number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  /** The counter of checkpoints that the log holds. */
  readonly signed: Count;
}

export class AuditTask implements StageTask<Read, Appends<'audit'>> {
  readonly start: readonly Position<Read>[];
  readonly #options: AuditTaskOptions;
  readonly #trees: ReadonlyMap<string, PartitionTree>;
  readonly #clock: RoundClock;
  readonly #trimming: ExpectedTrimming;
  /** Trees with windows that wait to be signed. */
  readonly #ready = new Set<PartitionTree>();
  #retention: RetentionMoved | undefined;
  /** The offset after the newest retention record that the next round, or the round in progress, accounts for. */
  #accountedRetention: { readonly next: number; readonly isBegun: boolean } | undefined;
  /**
   * One for all pages: pages of many partitions follow each other without a pause, on a thread shared with other
   * stages.
   */
  readonly #turn = new Turn();
  #isPaused = false;
  #isStopped = false;

  constructor(options: AuditTaskOptions) {
    const { context, restored, checkpointMs: everyMs, elapsedMs } = options;
    const { log, ready, fail } = context;
    this.#options = options;
    this.#trees = restored.trees;
    this.#retention = restored.retention;
    this.#clock = new RoundClock({ everyMs, elapsedMs, onDue: ready });
    const trees = [...restored.trees.values()];
    const passingTrees = trees.filter(({ topic }) => isPassing(topic));
    this.#trimming = new ExpectedTrimming({
      log,
      trees: passingTrees,
      fail,
      onDone: (next) => this.#handleTrimmed(next),
    });
    this.start = [
      ...trees.map(({ topic, partition, offset }) => ({ topic, partition, offset })),
      { topic: 'retention', partition: 0, offset: 0 },
      ...restored.witnessing.next.map((offset, partition) => ({ topic: 'subscriptions' as const, partition, offset })),
    ];
    if (restored.keys.hasUnwritten) ready();
  }

  async handle(records: RecordsOn<Read>, next: number): Promise<void> {
    if (areFromTopic('subscriptions', records)) {
      for (const record of records) this.#options.restored.witnessing.witnesses.accept(record);
      return;
    }
    if (areFromTopic('retention', records)) {
      const newest = records.at(-1)?.data;
      if (newest === undefined) return;
      this.#retention = newest;
      this.#trimming.follow(newest, next);
      return;
    }
    const tree = this.#treeOf(records[0]);
    if (tree === undefined) return;
    if (areFromTopic('commands', records)) this.#changeKeys(records);
    for (const record of records) {
      this.#addLeaf(tree, record);
      if (this.#turn.isOver) await this.#turn.next();
    }
    this.#updateReady(tree);
  }

  /** Counts malformed records, too: they are part of history. */
  skipMalformed({ record, ...place }: MalformedRecord): void {
    const tree = this.#treeOf(place);
    if (tree === undefined) return;
    this.#addLeaf(tree, { ...(record as unknown as LogRecord), ...place });
    this.#updateReady(tree);
  }

  takeOutput(): Output<Appends<'audit'>> | undefined {
    if (this.#isStopped) return undefined;
    const { ambient, restored } = this.#options;
    const now = ambient.now();
    if (restored.keys.hasUnwritten) return { records: restored.keys.take(now), positions: {} };
    if (this.#clock.isDue) this.#beginRound();
    const { records, positions } = this.#signReady(now);
    if (this.#ready.size === 0 && this.#accountedRetention?.isBegun === true) {
      positions[retentionKey] = this.#accountedRetention.next;
      this.#accountedRetention = undefined;
    }
    this.#pauseOrResume();
    return Object.keys(positions).length === 0 ? undefined : { records, positions };
  }

  onCommitted({ records }: Output<Appends<'audit'>>): void {
    for (const { topic } of records) if (topic === 'checkpoints') this.#options.signed.value++;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#clock.close();
    this.#trimming.close();
  }

  #changeKeys(commands: RecordsOn<'commands'>): void {
    const { restored, context } = this.#options;
    for (const command of commands) if (command.type === 'ChangeAuditKey') restored.keys.requestKey(command);
    if (restored.keys.hasUnwritten) context.ready();
  }

  #treeOf(place: { readonly topic: string; readonly partition: number } | undefined): PartitionTree | undefined {
    return place === undefined ? undefined : this.#trees.get(treeKey(place.topic, place.partition));
  }

  #addLeaf(tree: PartitionTree, record: StoredRecord): void {
    const { topic } = tree;
    const { leaf } = signedRecord(topic, record);
    const retention = this.#retention;
    const mayBePast = retention !== undefined && tree.trimmed.count === tree.count && isPassing(topic);
    const past = mayBePast && isExpiredRecord(topic, record, retention);
    tree.add(hashOfLeaf(leaf), { time: leaf.time, next: record.offset + 1, isExpired: past });
    // Records that result from a round of checkpoints must not start the next round.
    if (record.actor !== 'audit') this.#clock.noteUnsigned(this.#options.ambient.now() - leaf.time);
  }

  #updateReady(tree: PartitionTree): void {
    if (tree.closedCount > 0) this.#ready.add(tree);
    this.#pauseOrResume();
  }

  /** Begins a round, to be signed before audit's mark for `retention` moves: no record is trimmed before that. */
  #handleTrimmed(next: number): void {
    this.#accountedRetention = { next, isBegun: false };
    this.#clock.makeDue();
    this.#options.context.ready();
  }

  #beginRound(): void {
    this.#clock.startRound();
    for (const tree of this.#trees.values()) {
      tree.closeOpenWindow();
      if (tree.closedCount > 0) this.#ready.add(tree);
    }
    if (this.#accountedRetention !== undefined)
      this.#accountedRetention = { ...this.#accountedRetention, isBegun: true };
  }

  #signReady(now: number): { records: readonly AuditOutgoing[]; positions: Record<string, number> } {
    const { keys, witnessing } = this.#options.restored;
    const { workspaces } = witnessing.witnesses;
    const records: AuditOutgoing[] = [];
    const checkpoints: CheckpointSigned[] = [];
    const positions: Record<string, number> = {};
    let remaining = Math.min(signsMax, Math.max(1, Math.floor(witnessedMax / workspaces.length)));
    for (const tree of this.#ready) {
      for (; remaining > 0 && tree.closedCount > 0; remaining--) {
        const signed = tree.sign({ keys, now });
        if (signed === undefined) break;
        records.push(...checkpointRecords(signed, now));
        checkpoints.push(signed.checkpoint);
        positions[positionKey(tree.topic, tree.partition)] = signed.tree.offset;
      }
      if (tree.closedCount > 0) break;
      this.#ready.delete(tree);
    }
    if (checkpoints.length > 0)
      records.push(
        ...witnessRecords(workspaces, checkpoints, { at: now, partitions: this.#options.context.log.partitions }),
      );
    return { records, positions };
  }

  #pauseOrResume(): void {
    const { context } = this.#options;
    const waiting = [...this.#ready].reduce((sum, { closedCount: closed }) => sum + closed, 0);
    const isFull = waiting > waitingWindowsMax;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    for (const { topic, partition } of this.start) {
      if (isFull) context.pause(topic, partition);
      else context.resume(topic, partition);
    }
  }
}
