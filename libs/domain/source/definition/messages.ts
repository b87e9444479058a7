// Definitions: the current state of each source, from which stages restore instead of from history.
import type { ApphookInterface, HttpInterface } from '../../component/http/interfaces.ts';
import type { ConsoleLine } from '../../component/output.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';
import type { MadeBy } from '../../definition/messages.ts';
import type { MessageOf } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import type { TimerSchedule } from '../../timer/messages.ts';
import type { HookKind, SourceKind, SourceStatus } from '../messages.ts';
import type { SourceSettings } from '../source-settings.ts';

/** A revision of a source: where its records are, and the facts that stages need. */
export interface RevisionDefinition {
  readonly revision: number;
  /** The one that brought the code; it is kept by updates of props alone. */
  readonly codeRevision: number;
  readonly codeFrom: number;
  /** Null: it is not described yet. */
  readonly configuredFrom: number | null;
  readonly hooks: readonly HookKind[];
  readonly http: HttpInterface | null;
  readonly timer: TimerSchedule | null;
  /** Those that its props name; absent: none. */
  readonly accounts?: readonly string[];
  /** Null or absent: it has none, or is not configured yet. */
  readonly apphook?: ApphookInterface | null;
}

/** An unfinished update. */
export interface UpdateDefinition {
  /** As it is to be at the end; null: it stays. */
  readonly name: string | null;
  readonly active: boolean;
  /** The same; absent: they stay. */
  readonly settings?: SourceSettings;
  readonly swapped: 'not_yet' | 'swapped' | 'back';
  /** Before the swap the revision to come, then the one before it; null: neither code nor props change. */
  readonly other: RevisionDefinition | null;
  /** Why it was swapped back. */
  readonly refusal: DeployRefusal | null;
}

/** On `sources`, compacted by source id; without data: there is no such source any more. */
export type SourceDefinition = MessageOf<{
  SourceDefined: {
    readonly sourceId: string;
    readonly status: SourceStatus;
    readonly revision: number;
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    readonly endpointKey: string;
    readonly requestedName: string | null;
    /** As the command brought them; null once the revision is configured. */
    readonly configuredProps: Sealed | null;
    /** Null until the revision is configured. */
    readonly nameSlug: string | null;
    readonly hooks: readonly HookKind[];
    /** Hooks of the process under way that have ended, and what they wrote. */
    readonly ended: readonly HookKind[];
    readonly console: readonly ConsoleLine[];
    /** Null: it has none, or is not configured yet. */
    readonly http: HttpInterface | null;
    /** Null or absent: it has none, or is not configured yet. */
    readonly timer?: TimerSchedule | null;
    readonly apphook?: ApphookInterface | null;
    /** Absent: the defaults. */
    readonly settings?: SourceSettings;
    /** Where on `components` the record with its code stands (SourceDeploying, SourceUpdating), or before that. */
    readonly codeFrom: number;
    /** Where on `components` its SourceConfigured stands, with manifest and props, or before that; null: not yet. */
    readonly configuredFrom: number | null;
    /** False: it was made inactive; it has no endpoint then, and its timer rests. */
    readonly active?: boolean;
    /** The revision that brought its code, which `codeFrom` is about; absent: this one. */
    readonly codeRevision?: number;
    /** The highest that any update of it has led to, or was to lead to; absent: this one. */
    readonly lastRevision?: number;
    /** A `deactivate` that throws does not stop the process under way. */
    readonly ignoreHookErrors?: boolean;
    /** With the status `updating`. */
    readonly update?: UpdateDefinition;
    readonly kind?: SourceKind;
    /** Those that the props of its revision name; absent: none. */
    readonly accounts?: readonly string[];
  };
}>;
