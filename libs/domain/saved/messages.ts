// Commands and events about saved components: code that was described once, and that sources are deployed from.
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import type { Manifest } from '../component/manifest.ts';
import type { Locked, OtherFiles } from '../component/program/program.ts';
import type { MadeBy, Repeatable } from '../definition/messages.ts';
import type { RegistryComponent, Wanted } from '../component/program/registry-component.ts';
import type { Sealed } from '../secrets/sealed.ts';
import type { MessageOf } from '../message.ts';

export type SavedCommand = MessageOf<{
  SaveComponent: Repeatable &
    OtherFiles & {
      /** `componentIdOf` workspace and program. */
      readonly componentId: string;
      readonly userId: string;
      readonly code: string;
      /** It is published too. What it declares is known where it is saved already, which the sender sees. */
      readonly publish?: { readonly key?: string; readonly version?: string };
    };
  UnpublishComponent: { readonly componentId: string };
  DeleteComponent: { readonly componentId: string };
}>;

export interface PublishedAs {
  /** The component's own. */
  readonly key: string;
  readonly version: string;
}

export type CodeCommand = MessageOf<{
  /** `Repeatable` of the request that needs the code: what has been made already needs none. */
  FetchComponent: Repeatable & {
    readonly fetchId: string;
    /** Text, sealed: a query may hold a secret. Absent: it is found in the registry. */
    readonly url?: Sealed;
    readonly find?: Wanted;
  };
}>;

export type SavedRefusal =
  | 'repeated'
  | 'idempotency_conflict'
  /** It is being described for another request. */
  | 'busy'
  /** It does not parse, throws at load, or lacks what is required (docs/reference/component-api.md, "The definition of a component"). */
  | 'component_invalid'
  /** Its URL gave no code, or the registry no answer. */
  | 'fetch_failed'
  /** The registry has no component with the key, or no such app. */
  | 'unknown_key'
  /** The workspace has as many as it may. */
  | 'too_many_components'
  /** A version that is as high, or higher, is published under its key. */
  | 'version_not_higher'
  | 'not_published'
  | 'component_not_found'
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

/** What was got from elsewhere is not kept as long as this record: whoever waits reads it where runtime has put it. */
interface OnHooks {
  /** Of its record, in the partition of `fetchId`. */
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
      /** It is published once it is described; absent: it is saved only. */
      readonly publishes?: boolean;
    };
  /** It was described. */
  ComponentSaved: Locked & {
    readonly componentId: string;
    readonly userId: string;
    readonly codeHash: string;
    readonly manifest: Manifest;
  };
  ComponentSaveRefused: {
    readonly componentId: string;
    /** Whether `ComponentSaving` went before it, which it takes back. */
    readonly began: boolean;
    readonly reason: SavedRefusal;
    readonly message: string;
    readonly error?: ComponentError;
    readonly console?: readonly ConsoleLine[];
    /** The component that stands already. */
    readonly existingId?: string;
    /** Of the reason `repeated`, where the key is tied to the existing component by this. */
    readonly request?: Repeatable;
  };
  /** Its key means it from here on. The version before is unpublished in the same append. */
  ComponentPublished: PublishedAs & {
    readonly componentId: string;
    /** The request that published what was saved before; absent: it had no key, or saved it too. */
    readonly request?: Repeatable;
  };
  ComponentUnpublished: { readonly componentId: string; readonly key: string };
  ComponentUnpublishRefused: {
    readonly componentId: string;
    readonly reason: SavedRefusal;
    readonly message: string;
  };
  /** It is not saved any more. If it was published, it is unpublished in the same append. */
  ComponentDeleted: { readonly componentId: string };
  ComponentDeleteRefused: {
    readonly componentId: string;
    readonly reason: SavedRefusal;
    readonly message: string;
  };
  ComponentsFound: OnHooks & {
    readonly fetchId: string;
    /** Of earlier versions, in place of `hooksOffset`. */
    readonly components?: readonly RegistryComponent[];
  };
  ComponentFetched: OnHooks & {
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
    /** While it is saved: it is published then. */
    readonly publishes?: boolean;
    /** Absent: it is not published. */
    readonly published?: PublishedAs;
  };
}>;
