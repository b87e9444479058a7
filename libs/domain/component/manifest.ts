// What a component says of itself, as JSON: made inside the sandbox, validated before anything trusts it.
import type { Json, JsonObject } from '../json.ts';

/** One prop; `type` with its suffix `[]` (docs/reference/component-api.md, "The definition of a component"). */
export interface PropDefinition {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: Json;
  readonly options?: readonly Json[];
  /** `options` is a function. */
  readonly remoteOptions?: boolean;
  /** The component reads `{ label, value }` instead of the value alone. */
  readonly withLabel?: boolean;
  readonly secret?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly customResponse?: boolean;
  /** Slug, for `type: 'app'`. */
  readonly app?: string;
  /** A fixed interface setting that nobody may edit. */
  readonly static?: JsonObject;
  readonly reloadProps?: boolean;
  readonly hidden?: boolean;
  readonly disabled?: boolean;
  /** Its options are searched by what somebody types. */
  readonly useQuery?: boolean;
  /** 'info', 'neutral', 'warning' or 'error', for `type: 'alert'`. */
  readonly alertType?: string;
  /** Markdown that an alert shows. */
  readonly content?: string;
  /** 'file-ref': a path or a URL. */
  readonly format?: string;
}

export type DedupeStrategy = 'unique' | 'greatest' | 'last';

/** Hints for whoever lets a program choose what to call. */
export const annotationNames = ['destructiveHint', 'openWorldHint', 'readOnlyHint', 'idempotentHint'] as const;
export type Annotations = { readonly [Name in (typeof annotationNames)[number]]?: boolean };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly key?: string;
  readonly description?: string;
  readonly type: 'source' | 'action';
  readonly dedupe?: DedupeStrategy;
  readonly props: readonly PropDefinition[];
  readonly hooks: readonly ('deploy' | 'activate' | 'deactivate')[];
  readonly methods: readonly string[];
  readonly additionalProps: boolean;
  /** Whether it has a `sampleEmit`; absent: it was described by a program that did not ask. */
  readonly sampleEmit?: boolean;
  /** What its author says of its effects: `annotationNames` that are set. */
  readonly annotations?: Annotations;
}
