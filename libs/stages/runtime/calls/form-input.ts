// Makes the input with which a component answers a form: the form's values so far, over those of the source.
import type { FormRequest } from '../../../domain/call/form.ts';
import type { Manifest, PropDefinition } from '../../../domain/component/manifest.ts';
import type { PropProblem } from '../../../domain/component/props/prop-problem.ts';
import { validateDraft } from '../../../domain/component/props/validate.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { collectSecrets } from '../../../domain/secrets/mask.ts';
import type { Invocation } from '../../../sandbox/sandbox.ts';
import type { UnsealedProps } from '../source/run-input.ts';

/** The fields of an invocation that answers a form. */
export type FormInput = Pick<Invocation, 'event' | 'props' | 'addedProps' | 'secrets'>;

/** The form's values over those of the source. Never throws: wrong values are `problems`, for the client. */
export function formInput(
  { configuredProps, ...request }: FormRequest,
  manifest: Manifest,
  previous: UnsealedProps = { props: {}, secrets: [] },
): FormInput | { readonly problems: readonly PropProblem[] } {
  const dynamic = manifest.props.filter((prop) => prop.dynamic === true);
  const own = { ...manifest, props: manifest.props.filter((prop) => prop.dynamic !== true) };
  const draft = validateDraft(own, { ...previous.props, ...configuredProps });
  if ('problems' in draft) return draft;
  const { values } = draft;
  const endpoints = manifest.props.filter(({ name, type }) => type === '$.interface.http' && name in previous.props);
  const props = { ...values, ...Object.fromEntries(endpoints.map(({ name }) => [name, previous.props[name] ?? null])) };
  const { page = 0, prevContext = {}, query, propName = '' } = request;
  const event = { propName, page, prevContext, ...(query === undefined ? {} : { query }) };
  return { event, props, addedProps: addedProps(dynamic), secrets: [...previous.secrets, ...secretsIn(own, values)] };
}

/** The types by name of the props that are not in the component's own definition. */
export const addedProps = (props: readonly PropDefinition[]): Readonly<Record<string, string>> =>
  Object.fromEntries(props.filter(({ dynamic }) => dynamic === true).map(({ name, type }) => [name, type]));

/** The secrets among the values; any text of an unknown prop counts as one. */
function secretsIn({ props }: Manifest, values: JsonObject): readonly string[] {
  const nonSecret = new Set(props.filter(({ secret }) => secret !== true).map(({ name }) => name));
  return Object.entries(values).flatMap(([name, value]: [string, Json]) =>
    nonSecret.has(name) ? [] : collectSecrets(value),
  );
}
