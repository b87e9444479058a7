// The questions that a form asks a component, sealed in the trigger of a call, and the answers.
import type { PropProblem } from '../component/props/prop-problem.ts';
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import type { PropDefinition } from '../component/manifest.ts';
import { ManifestError, readProps } from '../component/props/read-props.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { FormCallKind } from './call.ts';

/** The most options of one page: nobody can look through a longer list, and components can page them. */
export const optionsMax = 5_000;

/** The argument of a call of kind `configure` or `props`. */
export interface FormRequest {
  /** Values so far, by prop name: some may be missing. */
  readonly configuredProps: JsonObject;
  /** This and the three fields below are only for `configure`. */
  readonly propName?: string;
  /** From 0. */
  readonly page?: number;
  /** The `context` in the answer of the page before. */
  readonly prevContext?: Json;
  /** What the user searches for. */
  readonly query?: string;
}

/** A bare value, or one with its label: `{ label, value }`. */
export type Option = Json;

export type FormCallResult =
  | { readonly kind: 'configure'; readonly options: readonly Option[]; readonly context: Json }
  | { readonly kind: 'props'; readonly props: readonly PropDefinition[] };

/** The answer to the client: what the component returned, or why it returned nothing. */
export interface FormResponse {
  readonly returned?: FormCallResult;
  readonly error?: ComponentError;
  /** Problems of the given values, because of which the component was not called. */
  readonly problems?: readonly PropProblem[];
  readonly console: readonly ConsoleLine[];
}

/** Reads `event`, which the component returned. An answer that cannot be read yields an error of the component. */
export function readFormCallResult(kind: FormCallKind, event: Json | undefined): FormCallResult | ComponentError {
  const result = isJsonObject(event) ? event : {};
  return kind === 'configure' ? readOptions(result) : readDynamicProps(result);
}

function readOptions({ options, context = null }: JsonObject): FormCallResult | ComponentError {
  if (!Array.isArray(options)) return unreadableError;
  if (options.length > optionsMax) {
    const message = `The component returned ${options.length} options at once; at most ${optionsMax} are taken: return them by page`;
    return { name: 'TooManyOptionsError', message };
  }
  const readableOptions = (options as readonly Json[]).flatMap(optionOf);
  return { kind: 'configure', options: readableOptions, context };
}

/** The option with its label as text; empty if it has no value. */
function optionOf(input: Json): readonly Option[] {
  let option = input;
  while (isJsonObject(option) && isJsonObject(option['__lv'])) option = option['__lv'];
  if (option === null) return [];
  if (!isJsonObject(option) || !('label' in option || 'value' in option)) return [option];
  const { label, value = null } = option;
  if (value === null) return [];
  return [{ label: typeof label === 'string' ? label : labelOf(label ?? value), value }];
}

const labelOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function readDynamicProps({ props }: JsonObject): FormCallResult | ComponentError {
  if (!Array.isArray(props)) return unreadableError;
  try {
    return { kind: 'props', props: readProps(props) };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return { name: 'ManifestError', message: `additionalProps: ${error.message}` };
  }
}

const unreadableError: ComponentError = { name: 'Error', message: 'The component returned nothing that can be read' };
