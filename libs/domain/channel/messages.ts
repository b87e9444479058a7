// What running a source yields: events on channels, run records, and the source's own state.
import type { TriggerKind } from '../source/messages.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../component/output.ts';
import type { Json } from '../json.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/** On `channels`, keyed by source. */
export type ChannelEvent = MessageOf<{
  EventEmitted: {
    readonly emitterId: string;
    /** `<ms>-<seq>`: ms is the record's `at` and never goes back, seq is dense per source from 0. */
    readonly eventId: string;
    /** '' is the default channel. */
    readonly channel: string;
    readonly event: Json;
    /** What the component gave to `$emit`: the dedupe id as given, summary, and its ts as epoch ms. */
    readonly emit: { readonly id?: string | number; readonly summary?: string; readonly ts?: number };
    /** Empty: it was published, and there was no run. */
    readonly runId: string;
    /** Of the trigger of its run. */
    readonly hops?: number;
    /** A sample that somebody asked for: nothing has happened at the source. */
    readonly sample?: boolean;
  };
  /** Among the events before this record, those from one id to another are neither shown nor sent any more. */
  EventsDeleted: DeletedEvents;
  /**
   * Events after this record go by the subscription's filter and transform of this number, which `FilterDefined` has;
   * events before it go by the earlier ones for ever. The first record of a number counts.
   */
  FilterChanged: NumberedChange;
}>;

export type EmittedEvent = Extract<ChannelEvent, { readonly type: 'EventEmitted' }>;

/** Which events of a source are deleted. */
export interface DeletedEvents {
  readonly emitterId: string;
  /** Only this one; null: every channel but those whose names begin with `$`. */
  readonly channel: string | null;
  /** The first of them, inclusive; null: the oldest. */
  readonly startId: string | null;
  /** The last of them, inclusive; null: the newest that stands before the record. */
  readonly endId: string | null;
}

/** On `triggers`, keyed by source: it does not wait for the source's runs. */
export type DeletionRequest = MessageOf<{
  /** An open end is fixed where the request is carried out. */
  EventDeletionRequested: Omit<DeletedEvents, 'emitterId'> & { readonly sourceId: string };
}>;

/** A change of a subscription's filter or transform. */
export interface NumberedChange {
  readonly subscriptionId: string;
  /**
   * The number of the change, from 1 for each subscription; 0: the request changed nothing, and the subscription never
   * had a filter or transform.
   */
  readonly version: number;
}

/** On `triggers`, in each partition of the subscription's sources, beside the definition that it follows from. */
export type FilterChangeRequest = MessageOf<{
  /** It waits for no run, and needs no source. */
  FilterChangeRequested: NumberedChange;
}>;

/** On `triggers`, in each partition of its sources, beside the subscription that it follows from. */
export type LogsRequest = MessageOf<{
  /** Runs of later triggers are reported on `$logs`. */
  LogsRequested: {
    /** A source, or every source of the workspace. */
    readonly emitterId: string;
  };
}>;

export type RunOutcome =
  | 'succeeded'
  /** It threw, ran too long, or used too much memory; what it emitted before stands. */
  | 'failed'
  /** The source was deleted or its deploy refused: it never began. */
  | 'refused';

/** On `runs`, keyed by source: one for every trigger, hooks included. */
export type RunEvent = MessageOf<{
  RunFinished: {
    readonly runId: string;
    readonly sourceId: string;
    readonly kind: TriggerKind;
    readonly outcome: RunOutcome;
    readonly startedAt: number;
    readonly durationMs: number;
    readonly console: readonly ConsoleLine[];
    readonly error?: ComponentError;
    /** Event ids, in order. */
    readonly emitted: readonly string[];
    /** Emits that the dedupe strategy dropped. */
    readonly deduped: number;
    /** Absent when it made none. */
    readonly requests?: ComponentRequests;
  };
}>;

/** The memory of a dedupe strategy (docs/reference/component-api.md, "Dedupe"); absent before the first event. */
export type DedupeMemory =
  | { readonly strategy: 'unique'; readonly ids: readonly string[] }
  /** Text only for integers beyond 2^53. */
  | { readonly strategy: 'greatest'; readonly greatest: number | string }
  | { readonly strategy: 'last'; readonly last: string };

/** On `state`, compacted by source: all that a source's next run depends on. */
export type StateEvent = MessageOf<{
  SourceStateSaved: {
    readonly sourceId: string;
    /** JSON object of the values by key, sealed whole; null when empty. */
    readonly db: Sealed | null;
    readonly dedupe: DedupeMemory | null;
    /** The next event's seq, and the time below which no event id may fall. */
    readonly nextSeq: number;
    readonly lastEventMs: number;
    /** Per lane: every trigger of this source below this offset is finished, but for runs that were overtaken. */
    readonly finishedBelow: {
      readonly hooks: number;
      readonly runs: number;
      /** Every request to delete events below it is carried out; absent: none has been. */
      readonly deletions?: number;
      /** Absent: there has been no call. */
      readonly calls?: number;
      /** All below it that was to be published has become events; absent: nothing was. */
      readonly publishes?: number;
    };
    /** The offsets of triggers below `finishedBelow.runs` that are not finished; absent when all are. */
    readonly overtaken?: readonly number[];
  };
}>;
