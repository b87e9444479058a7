// Commands and events about saved components: code that was described once, from which sources are deployed.
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import type { Manifest } from '../component/manifest.ts';
import type { Locked, OtherFiles } from '../component/program/program.ts';
import type { MadeBy, Repeatable } from '../definition/messages.ts';
import type { RegistryComponent, RegistryQuery } from '../component/program/registry-component.ts';
import type { Sealed } from '../secrets/sealed.ts';
import type { MessageOf } from '../message.ts';

export type SavedCommand = MessageOf<{
  SaveComponent: Repeatable &
    OtherFiles & {
      /** Made by `componentIdOf` from workspace and program. */
      readonly componentId: string;
      readonly userId: string;
      readonly code: string;
      /** Publish it too. The fields are set if the sender sees that it is saved already, and what it declares. */
      readonly publish?: { readonly key?: string; readonly version?: string };
    };
  UnpublishComponent: { readonly componentId: string };
  DeleteComponent: { readonly componentId: string };
}>;

export interface Publication {
  /** The key that the component declares. */
  readonly key: string;
  readonly version: string;
}

export type CodeCommand = MessageOf<{
  /** `Repeatable`: of the request that needs the code; a repeat whose thing exists needs none. */
  FetchComponent: Repeatable & {
    readonly fetchId: string;
    /** Text, sealed because a query can hold a secret. Absent: the code is in the registry. */
    readonly url?: Sealed;
    readonly find?: RegistryQuery;
  };
}>;

export type SavedRefusal =
  | 'repeated'
  | 'idempotency_conflict'
  /** It is being described for another request. */
  | 'busy'
  /** It does not parse, throws at load, or lacks what is required (docs/reference/component-api.md, "The definition of a component"). */
  | 'component_invalid'
  /** The URL returned no code, or the registry did not answer. */
  | 'fetch_failed'
  /** The registry has no component with the key, or no such app. */
  | 'unknown_key'
  /** The workspace has as many as it is allowed. */
  | 'too_many_components'
  /** The same or a higher version is published with its key. */
  | 'version_not_higher'
  | 'not_published'
  | 'component_not_found'
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

/** Refers to the fetched data on `hooks`, which is not kept as long as this record: whoever waits reads it there. */
interface HooksReference {
  /** The offset of the record, in the partition of `fetchId`. */
  readonly hooksOffset?: number;
}

/** On `saves`. */
export type SavedEvent = MessageOf<{
  ComponentSaving: Repeatable &
    OtherFiles & {
      readonly componentId: string;
      readonly userId: string;
      readonly code: string;
      readonly codeHash: string;
      /** It will be published once it is described; absent: it is only saved. */
      readonly publishes?: boolean;
    };
  /** It was described without problems. */
  ComponentSaved: Locked & {
    readonly componentId: string;
    readonly userId: string;
    readonly codeHash: string;
    readonly manifest: Manifest;
  };
  ComponentSaveRefused: {
    readonly componentId: string;
    /** Whether `ComponentSaving` came before: this event reverts it. */
    readonly began: boolean;
    readonly reason: SavedRefusal;
    readonly message: string;
    readonly error?: ComponentError;
    readonly console?: readonly ConsoleLine[];
    /** The component that exists already. */
    readonly existingId?: string;
    /** With `repeated`: the request whose Idempotency-Key is now tied to the existing component. */
    readonly request?: Repeatable;
  };
  /** From here on its key means this component. The earlier version is unpublished in the same append. */
  ComponentPublished: Publication & {
    readonly componentId: string;
    /** The request that published a component saved before; absent: it had no Idempotency-Key, or saved it too. */
    readonly request?: Repeatable;
  };
  ComponentUnpublished: { readonly componentId: string; readonly key: string };
  ComponentUnpublishRefused: {
    readonly componentId: string;
    readonly reason: SavedRefusal;
    readonly message: string;
  };
  /** It is no longer saved. If it was published, it is unpublished in the same append. */
  ComponentDeleted: { readonly componentId: string };
  ComponentDeleteRefused: {
    readonly componentId: string;
    readonly reason: SavedRefusal;
    readonly message: string;
  };
  ComponentsFound: HooksReference & {
    readonly fetchId: string;
    /** Of earlier versions, in place of `hooksOffset`. */
    readonly components?: readonly RegistryComponent[];
  };
  ComponentFetched: HooksReference & {
    readonly fetchId: string;
    /** Of earlier versions, in place of `hooksOffset`. */
    readonly code?: string;
  };
  ComponentFetchRefused: { readonly fetchId: string; readonly reason: SavedRefusal; readonly message: string };
}>;

/** On `saved`, compacted by component id; without data: it was refused. */
export type SavedDefinition = MessageOf<{
  SavedDefined: {
    readonly componentId: string;
    readonly status: 'saving' | 'saved';
    readonly userId: string;
    readonly codeHash: string;
    readonly madeBy: MadeBy | null;
    /** While it is `saving`: it will be published afterwards. */
    readonly publishes?: boolean;
    /** Absent: it is not published. */
    readonly published?: Publication;
  };
}>;
