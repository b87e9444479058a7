// The manifest: a component's description as JSON, made inside the sandbox and validated before anything uses it.
import type { PropFields } from './prop-fields.ts';

/** One prop; `type` with its suffix `[]` (docs/reference/component-api.md, "The definition of a component"). */
export interface PropDefinition extends PropFields {
  readonly name: string;
  readonly type: string;
}

export type DedupeStrategy = 'unique' | 'greatest' | 'last';

/** Names of the hints for programs that choose which component to call. */
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
  /** `event_names`: the function `eventNames` of its apphook. */
  readonly hooks: readonly ('event_names' | 'deploy' | 'activate' | 'deactivate')[];
  readonly methods: readonly string[];
  readonly additionalProps: boolean;
  /** Whether it has a `sampleEmit`; absent: the manifest was made by a version that did not look. */
  readonly sampleEmit?: boolean;
  /** The author's statements about its effects: those `annotationNames` that are set. */
  readonly annotations?: Annotations;
  /** Fields of `$auth` that were found in its code; absent: it has no app prop, or its code never mentions `$auth`. */
  readonly authFields?: readonly string[];
}
