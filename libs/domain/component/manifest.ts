// A component's description of itself, as JSON: made inside the sandbox, validated before anything trusts it.
import type { PropFields } from './prop-fields.ts';

/** One prop; `type` with its suffix `[]` (docs/reference/component-api.md, "The definition of a component"). */
export interface PropDefinition extends PropFields {
  readonly name: string;
  readonly type: string;
}

export type DedupeStrategy = 'unique' | 'greatest' | 'last';

/** Hints for programs that choose what to call. */
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
  /** Whether it has a `sampleEmit`; absent: described by a program that did not ask. */
  readonly sampleEmit?: boolean;
  /** The author's statements about its effects: those `annotationNames` that are set. */
  readonly annotations?: Annotations;
  /** Fields of `$auth` that its code reads, as far as they are found; absent: it has no app prop, or never mentions `$auth`. */
  readonly authFields?: readonly string[];
}
