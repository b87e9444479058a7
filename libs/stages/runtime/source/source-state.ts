// Everything that a source's next run depends on, after the outputs taken so far; saved as one record of `state`.
import { freshMemory } from '../../../domain/run/run-output.ts';
import type { SourceMemory } from '../../../domain/run/run-output.ts';
import type { StateEvent } from '../../../domain/channel/messages.ts';
import type { CallKind } from '../../../domain/call/call.ts';
import type { HookKind, TriggerKind } from '../../../domain/source/messages.ts';
import { SourceDb } from './source-db.ts';
import type { Sealer } from './source-db.ts';

/** Hooks, runs and calls of a source run concurrently, each lane in the order of its triggers. */
export type LaneName = 'hooks' | 'runs' | 'calls';

type LaneOf<Kind extends TriggerKind> = Kind extends HookKind ? 'hooks' : Kind extends CallKind ? 'calls' : 'runs';

const lanes: { readonly [Kind in TriggerKind]: LaneOf<Kind> } = {
  describe: 'hooks',
  event_names: 'hooks',
  deploy: 'hooks',
  activate: 'hooks',
  deactivate: 'hooks',
  http: 'runs',
  apphook: 'runs',
  manual: 'runs',
  timer: 'runs',
  event: 'runs',
  emit: 'runs',
  sample: 'calls',
  configure: 'calls',
  props: 'calls',
};

export const laneOf = (kind: TriggerKind): LaneName => lanes[kind];

export const isHook = (kind: TriggerKind): kind is HookKind => laneOf(kind) === 'hooks';

/** The size of the record without db and dedupe memory. */
const recordOverheadBytes = 1024;

export type SavedState = StateEvent['data'];

export class SourceState {
  readonly sourceId: string;
  readonly db: SourceDb;
  memory: SourceMemory;
  /** Offsets by lane, as on the log or further: every trigger below is finished, except overtaken runs. */
  readonly finishedBelow: Record<LaneName, number> & { deletions?: number; publishes?: number };
  /** The offsets of unfinished runs that others have overtaken: no more than the source runs concurrently. */
  #overtaken: ReadonlySet<number>;

  constructor(sourceId: string, saved: SavedState | undefined, sealer: Sealer) {
    this.sourceId = sourceId;
    this.db = new SourceDb(saved?.db ?? null, sealer);
    this.memory = saved ?? freshMemory;
    this.finishedBelow = { hooks: 0, runs: 0, calls: 0, ...saved?.finishedBelow };
    this.#overtaken = new Set(saved?.overtaken);
  }

  isFinished(lane: LaneName, offset: number): boolean {
    return offset < this.finishedBelow[lane] && !(lane === 'runs' && this.#overtaken.has(offset));
  }

  /** `overtaken`: offsets of earlier triggers of the lane that are not finished. */
  finish(lane: LaneName, offset: number, overtaken: readonly number[]): void {
    const others =
      offset < this.finishedBelow[lane] ? [...this.#overtaken].filter((other) => other !== offset) : overtaken;
    this.finishedBelow[lane] = Math.max(this.finishedBelow[lane], offset + 1);
    if (lane === 'runs') this.#overtaken = new Set(others);
  }

  /** Notes that the request to delete events at this offset was carried out. */
  markDeletionDone(offset: number): void {
    this.finishedBelow.deletions = Math.max(this.finishedBelow.deletions ?? 0, offset + 1);
  }

  /** Notes that the request to publish at this offset was carried out. */
  markPublishDone(offset: number): void {
    this.finishedBelow.publishes = Math.max(this.finishedBelow.publishes ?? 0, offset + 1);
  }

  /** The offset above everything that is finished, in any lane. */
  get finishedTo(): number {
    const { hooks, runs, calls, deletions = 0, publishes = 0 } = this.finishedBelow;
    return Math.max(hooks, runs, calls, deletions, publishes);
  }

  /** An upper bound of the record's size as JSON text. */
  get bytes(): number {
    const { dedupe } = this.memory;
    const ids = dedupe === null ? 0 : Buffer.byteLength(JSON.stringify(dedupe));
    return this.db.sealedBytes + ids + recordOverheadBytes;
  }

  toSaved(): SavedState {
    const { dedupe, nextSeq, lastEventMs } = this.memory;
    const { calls, ...others } = this.finishedBelow;
    const finishedBelow = calls === 0 ? others : { ...others, calls };
    const overtaken = this.#overtaken.size === 0 ? {} : { overtaken: [...this.#overtaken] };
    return { sourceId: this.sourceId, db: this.db.seal(), dedupe, nextSeq, lastEventMs, finishedBelow, ...overtaken };
  }
}
