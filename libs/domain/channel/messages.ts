// The messages that runs of a source yield: events on channels, run records, and the source's state.
import type { TriggerKind } from '../source/messages.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../component/output.ts';
import type { Json } from '../json.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/** On `channels`, keyed by source. */
export type ChannelEvent = MessageOf<{
  EventEmitted: {
    readonly emitterId: string;
    /** `<ms>-<seq>`: ms is the record's `at` and never decreases; seq counts from 0 per source, without gaps. */
    readonly eventId: string;
    /** '' is the default channel. */
    readonly channel: string;
    readonly event: Json;
    /** The metadata that the component passed to `$emit`: dedupe id (unchanged), summary, and ts as epoch ms. */
    readonly emit: { readonly id?: string | number; readonly summary?: string; readonly ts?: number };
    /** Empty: the event was published by a request, not emitted by a run. */
    readonly runId: string;
    /** The `hops` of the trigger of its run. */
    readonly hops?: number;
    /** It is a sample that somebody asked for: nothing has happened at the source. */
    readonly sample?: boolean;
  };
  /** The events before this record whose ids are in this range are no longer shown or sent. */
  EventsDeleted: DeletedEvents;
  /**
   * The filter and transform of this number, which `FilterDefined` holds, apply to the events after this record; events
   * before it keep the earlier ones for ever. If several records have the same number, the first counts.
   */
  FilterChanged: NumberedChange;
}>;

export type EmittedEvent = Extract<ChannelEvent, { readonly type: 'EventEmitted' }>;

/** Which events of a source are deleted. */
export interface DeletedEvents {
  readonly emitterId: string;
  /** Only this channel; null: every channel except those whose names begin with `$`. */
  readonly channel: string | null;
  /** The first of them, inclusive; null: the oldest. */
  readonly startId: string | null;
  /** The last of them, inclusive; null: the newest before the record. */
  readonly endId: string | null;
}

/** On `triggers`, keyed by source: carried out without waiting for the source's runs. */
export type DeletionRequest = MessageOf<{
  /** An `endId` of null is replaced by the newest event's id when the request is carried out. */
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

/** On `triggers`, in each partition of the subscription's sources, appended together with the definition. */
export type FilterChangeRequest = MessageOf<{
  /** It does not wait for runs, and its source need not exist. */
  FilterChangeRequested: NumberedChange;
}>;

/** On `triggers`, in each partition of the subscription's sources, appended together with the subscription. */
export type LogsRequest = MessageOf<{
  /** From now on, runs of later triggers are reported on the channel `$logs`. */
  LogsRequested: {
    /** A source, or every source of the workspace. */
    readonly emitterId: string;
  };
}>;

export type RunOutcome =
  | 'succeeded'
  /** It threw, ran too long, or used too much memory; the events that it emitted before remain. */
  | 'failed'
  /** The source was deleted or its deploy refused: the run never began. */
  | 'refused';

/** On `runs`, keyed by source: one record for every trigger, hooks included. */
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
    /** The ids of the emitted events, in order. */
    readonly emitted: readonly string[];
    /** Emits that the dedupe strategy dropped. */
    readonly deduped: number;
    /** Absent: it made none. */
    readonly requests?: ComponentRequests;
  };
}>;

/** The memory of a dedupe strategy (docs/reference/component-api.md, "Dedupe"); absent before the first event. */
export type DedupeMemory =
  | { readonly strategy: 'unique'; readonly ids: readonly string[] }
  /** Integers beyond 2^53 are text. */
  | { readonly strategy: 'greatest'; readonly greatest: number | string }
  | { readonly strategy: 'last'; readonly last: string };

/** On `state`, compacted by source: all state that the source's next run depends on. */
export type StateEvent = MessageOf<{
  SourceStateSaved: {
    readonly sourceId: string;
    /** A JSON object of the values by key, sealed as one; null when empty. */
    readonly db: Sealed | null;
    readonly dedupe: DedupeMemory | null;
    /** The next event's seq, and the time before which no new event id can be (epoch ms). */
    readonly nextSeq: number;
    readonly lastEventMs: number;
    /** By lane: every trigger of this source below this offset is finished, except those in `overtaken`. */
    readonly finishedBelow: {
      readonly hooks: number;
      readonly runs: number;
      /** Every request to delete events below this offset is carried out; absent: there has been none. */
      readonly deletions?: number;
      /** Absent: there has been no call. */
      readonly calls?: number;
      /** Every request to publish below this offset has become events; absent: there has been none. */
      readonly publishes?: number;
    };
    /** The offsets of triggers below `finishedBelow.runs` that are not finished; absent when all are. */
    readonly overtaken?: readonly number[];
  };
}>;
