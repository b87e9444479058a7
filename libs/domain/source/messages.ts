// Commands, triggers and events about sources; a deploy or update is a process of several of them.
import type { CallKind } from '../call/call.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { Json, JsonObject } from '../json.ts';
import type { MessageOf } from '../message.ts';
import type { DeployRefusal, SourceRefusal } from '../definition/deploy-refusal.ts';
import type { Repeatable } from '../definition/messages.ts';
import type { RegistryComponent, RegistryQuery } from '../component/program/registry-component.ts';
import type { Sealed } from '../secrets/sealed.ts';
import type { Bundled } from '../component/bundle/messages.ts';
import type { HttpRequestData } from '../component/http/request-data.ts';
import type { Manifest } from '../component/manifest.ts';
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import type { PropProblem } from '../component/props/prop-problem.ts';
import type { Locked, OtherFiles } from '../component/program/program.ts';
import type { SourceSettings } from './source-settings.ts';

/** `channel`: a source without code, whose events are published. Absent: it runs a component. */
export type SourceKind = 'channel';

export type SourceCommand = MessageOf<{
  DeploySource: Repeatable &
    OtherFiles & {
      readonly sourceId: string;
      readonly userId: string;
      /** The entry file's. */
      readonly code: string;
      /** As asked for; null: the component's own name. */
      readonly name: string | null;
      /** JSON object, sealed whole: which props are secret is known only after describe. */
      readonly configuredProps: Sealed;
      /** Secret part of the endpoint's URL, kept even when the component has no http interface. */
      readonly endpointKey: string;
      /** Absent: the defaults. */
      readonly settings?: SourceSettings;
      readonly kind?: SourceKind;
    };
  DeleteSource: {
    readonly sourceId: string;
    /** The source is deleted even if `deactivate` throws. */
    readonly ignoreHookErrors?: boolean;
  };
  /** Absent fields keep their values. */
  UpdateSource: OtherFiles & {
    readonly sourceId: string;
    readonly name?: string;
    readonly active?: boolean;
    readonly code?: string;
    /** JSON object, sealed whole: of the props that are given, the others keep their values. */
    readonly configuredProps?: Sealed;
    /** Those that are given; the others stay. */
    readonly settings?: SourceSettings;
    readonly ignoreHookErrors?: boolean;
  };
}>;

/** On `components`. */
export type SourceEvent = MessageOf<{
  /** The process begins; from here on the endpoint key is taken. */
  SourceDeploying: Repeatable &
    OtherFiles & {
      readonly sourceId: string;
      readonly userId: string;
      readonly revision: number;
      readonly code: string;
      /** Of all files. */
      readonly codeHash: string;
      readonly requestedName: string | null;
      readonly configuredProps: Sealed;
      readonly endpointKey: string;
      readonly settings?: SourceSettings;
      /** A channel is configured and deployed in the same append; its code is empty. */
      readonly kind?: SourceKind;
    };
  /** Described and its props accepted: the revision can run. Secret values are `Sealed`, the rest is clear. */
  SourceConfigured: OfRevision &
    Bundled & {
      readonly manifest: Manifest;
      /** Absent in an update, which keeps the name. */
      readonly name?: string;
      readonly nameSlug?: string;
      readonly props: { readonly [name: string]: JsonObject[string] | Sealed };
    };
  SourceDeployed: {
    readonly sourceId: string;
    readonly revision: number;
    readonly console: readonly ConsoleLine[];
    /** The names that its function `eventNames` returned, null for all; absent: there is no such function. */
    readonly eventNames?: readonly string[] | null;
  };
  SourceDeployRefused: {
    readonly sourceId: string;
    /** The one whose process ends here; 0: the command was refused before anything began, the source is as it was. */
    readonly revision: number;
    readonly reason: SourceRefusal;
    readonly message: string;
    readonly error?: ComponentError;
    readonly console?: readonly ConsoleLine[];
    /** With `props_invalid`: prop by prop what the message says in one. */
    readonly problems?: readonly PropProblem[];
    /** The source that the same request made before, refused or not. */
    readonly existingId?: string;
  };
  SourceDeleting: { readonly sourceId: string; readonly revision: number; readonly ignoreHookErrors?: boolean };
  SourceDeleted: {
    readonly sourceId: string;
    readonly createdAt?: number;
    readonly console: readonly ConsoleLine[];
    readonly error?: ComponentError;
  };
  SourceDeleteRefused: {
    readonly sourceId: string;
    /** The one that continues, since its `deactivate` threw; absent: nothing had begun. */
    readonly revision?: number;
    readonly reason: SourceRefusal;
    readonly message: string;
    readonly error?: ComponentError;
    readonly console?: readonly ConsoleLine[];
  };
  /** An update begins; until its end the source is busy. */
  SourceUpdating: OtherFiles & {
    readonly sourceId: string;
    /** The revision after the update: the present one if neither code nor props are given. */
    readonly revision: number;
    /** As it is to be at the end; null: it stays. */
    readonly name: string | null;
    readonly active: boolean;
    /** Absent: it stays. */
    readonly code?: string;
    readonly codeHash?: string;
    /** Those that were given; null: none. */
    readonly configuredProps: Sealed | null;
    /** All of them, as they are to be at the end; absent: they stay. */
    readonly settings?: SourceSettings;
    readonly ignoreHookErrors: boolean;
  };
  /** From here on triggers run on this revision. */
  SourceSwapped: { readonly sourceId: string; readonly revision: number };
  /** `activate` threw: from here on triggers run on this revision again, the one before. */
  SourceSwappedBack: DeployRefusal & { readonly sourceId: string; readonly revision: number };
  SourceUpdated: {
    readonly sourceId: string;
    readonly revision: number;
    readonly active: boolean;
    /** Absent: it stays. */
    readonly name?: string;
    readonly nameSlug?: string;
    readonly settings?: SourceSettings;
    readonly console: readonly ConsoleLine[];
    readonly eventNames?: readonly string[] | null;
  };
  SourceUpdateRefused: DeployRefusal & {
    readonly sourceId: string;
    /** The one that stands; 0: nothing had begun, the source is as it was. */
    readonly revision: number;
    /** Whether it is active after what had begun; absent when nothing had. */
    readonly active?: boolean;
    readonly console?: readonly ConsoleLine[];
  };
}>;

/** `event_names`: asks the component which of its app's events it takes. */
export type HookKind = 'describe' | 'event_names' | 'deploy' | 'activate' | 'deactivate';
/** `event`: of a source that the run's source listens to. `emit`: nothing is run, the trigger carries what is emitted. */
export type TriggerKind = HookKind | CallKind | 'http' | 'apphook' | 'manual' | 'timer' | 'event' | 'emit';

/** On `triggers`, keyed by source. */
export type Trigger = MessageOf<{
  TriggerRequested: OtherFiles & {
    readonly sourceId: string;
    readonly kind: TriggerKind;
    readonly revision: number;
    /** Of a component that is described to be saved, with `entry` and `files`: there is no source. */
    readonly code?: string;
    /** Sealed text: what code is to be fetched from. There is no source. */
    readonly url?: Sealed;
    readonly find?: RegistryQuery;
    readonly http?: HttpRequestData;
    /** The argument of `run`; absent: that of its kind. */
    readonly event?: Json;
    /** JSON object. Of `configure` and `props`: `FormRequest`. Of `describe`: the props as the command brought them. */
    readonly asked?: Sealed;
    /** Of kind `emit`: what becomes events, in its turn among the source's runs. Names beginning with `$` may be used. */
    readonly emits?: readonly EmitCall[];
    /** Of kind `event`: the channel of its event, if that is `$logs`. */
    readonly channel?: string;
    /** How many sources in a row have led to it by their events; absent: none. */
    readonly hops?: number;
    /** The gateway instance that waits for an answer; absent: nobody waits. */
    readonly replyTo?: string;
  };
}>;

interface OfRevision {
  readonly sourceId: string;
  readonly revision: number;
}

/** On `hooks`: how a describe or hook trigger ended; `causationId` is the trigger's id. */
export type HookEvent = MessageOf<{
  SourceDescribed: OfRevision &
    Bundled &
    Locked & {
      readonly manifest: Manifest;
      /** Ids of all data stores of the workspace; absent: no prop is one, or it is not known which there are. */
      readonly dataStores?: readonly string[];
      readonly console: readonly ConsoleLine[];
    };
  HookSucceeded: OfRevision & {
    readonly kind: HookKind;
    readonly console: readonly ConsoleLine[];
    /** Of kind `event_names`; null: all. */
    readonly eventNames?: readonly string[] | null;
  };
  HookFailed: OfRevision & {
    readonly kind: HookKind;
    /** Of `describe`: the component was loaded, and this failed. */
    readonly during?: 'additionalProps';
    readonly error: ComponentError;
    readonly console: readonly ConsoleLine[];
  };
}>;

/** The status of an existing source. */
export type SourceStatus = 'deploying' | 'deployed' | 'updating' | 'deleting';

/** On `hooks`. */
export type CodeFetched = MessageOf<{
  CodeFetched: { readonly sourceId: string; readonly revision: number; readonly code: string };
  /** All components that an app has in the registry. */
  ComponentsListed: {
    readonly sourceId: string;
    readonly revision: number;
    readonly components: readonly RegistryComponent[];
  };
}>;
