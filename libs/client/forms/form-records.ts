// Types of the requests and responses of component forms (docs/api.md, "Forms").
import type { NewSource } from '../records.ts';
import type { ConfigurableProp } from '../configurable-prop.ts';

/** Values so far; some can be missing. */
export interface PropsRequest {
  readonly configured_props?: Readonly<Record<string, unknown>>;
}

export interface OptionsRequest extends PropsRequest {
  readonly prop_name: string;
  /** Counted from 0. */
  readonly page?: number;
  /** `context` of the previous page. */
  readonly prev_context?: unknown;
  /** The search text, if the prop has `useQuery`. */
  readonly query?: string;
}

/** The component, named by exactly one of `component_code`, `component_id`, `component_url`, `files` and `key`. */
export interface ComponentReference {
  readonly component_code?: string;
  readonly component_id?: string;
  readonly component_url?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly entry?: string;
  /** The key of a component that is published in the workspace, or otherwise in the npm registry. */
  readonly key?: string;
}

export interface PropOptions {
  readonly options?: readonly { readonly label: string; readonly value: unknown }[];
  /** Instead of `options`, if all are plain texts. */
  readonly string_options?: readonly string[];
  readonly context: unknown;
  readonly observations: NewSource['observations'];
}

export interface PropsForValues {
  readonly dynamic_props: { readonly id: string; readonly configurable_props: readonly ConfigurableProp[] };
  readonly observations: NewSource['observations'];
}
