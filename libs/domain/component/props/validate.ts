// Checks the configured values of a source against the props that its component declares.
import { isNestedTooDeep, jsonDepthMax } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { secretPlaceholder } from '../../secrets/secret-placeholder.ts';
import { isSealed } from '../../secrets/seal.ts';
import type { Manifest, PropDefinition } from '../manifest.ts';
import type { PropProblem } from './prop-problem.ts';
import { addLabels, withoutLabel } from './label-value.ts';
import { optionProblem } from './listed-options.ts';
import { anyProp } from './types/any.ts';
import type { CheckResult, PropType } from './types/prop-type.ts';
import { propTypeOf } from './prop-types.ts';

/** The values of all props that have one, with defaults applied; or all problems. */
export type ValidatedProps = { readonly values: JsonObject } | { readonly problems: readonly PropProblem[] };

/** The most characters of a name that a message quotes. */
const shownNameChars = 100;
/** The most characters of a message, which can quote the component's definitions: problems must fit into a record. */
const messageCharsMax = 1_000;

export function validateProps(manifest: Manifest, configuredProps: JsonObject): ValidatedProps {
  const { values, problems } = checkProps(manifest, configuredProps);
  // The props that `additionalProps` adds are known only after it was called, which needs valid values.
  if (problems.length === 0 || !manifest.additionalProps) problems.push(...unknownProps(manifest, configuredProps));
  return problems.length > 0 ? { problems } : { values };
}

/**
 * The same while a form is being filled in: props without a value may be missing. If the component has
 * `additionalProps`, values of props that are not known yet are taken as they are.
 */
export function validateDraft(manifest: Manifest, configuredProps: JsonObject): ValidatedProps {
  const isSet = ({ name }: PropDefinition): boolean =>
    Object.hasOwn(configuredProps, name) && (configuredProps[name] ?? null) !== null;
  const isMissing = (definition: PropDefinition): boolean =>
    !isSet(definition) && 'problem' in checkProp(definition, configuredProps);
  const present = { ...manifest, props: manifest.props.filter((definition) => !isMissing(definition)) };
  const { values, problems } = checkProps(present, configuredProps);
  if (!manifest.additionalProps) problems.push(...unknownProps(manifest, configuredProps));
  if (problems.length > 0) return { problems };
  const dynamicNames = manifest.additionalProps ? unknownNames(manifest, configuredProps) : [];
  const dynamicValues = dynamicNames.map(
    (name) => [name, withoutLabel(configuredProps[name] ?? null, anyProp)] as const,
  );
  return { values: { ...values, ...Object.fromEntries(dynamicValues.filter(([, value]) => value !== null)) } };
}

function checkProps(manifest: Manifest, configuredProps: JsonObject) {
  const values: [string, Json][] = [];
  const problems: PropProblem[] = [];
  for (const definition of manifest.props) {
    const checked = checkProp(definition, configuredProps);
    if ('problem' in checked) problems.push(problemOf(definition.name, checked.problem));
    else if (checked.value !== undefined) values.push([definition.name, checked.value]);
  }
  return { values: Object.fromEntries(values) as JsonObject, problems };
}

const problemOf = (prop: string, problem: string): PropProblem => ({
  prop: prop.slice(0, shownNameChars),
  message: `Prop ${JSON.stringify(prop.slice(0, shownNameChars))} ${problem}.`.slice(0, messageCharsMax),
});

/** Null counts as absent: with it an update removes the value of a prop that no longer exists. */
function unknownNames({ props }: Manifest, configuredProps: JsonObject): readonly string[] {
  const known = new Set(props.map(({ name }) => name));
  return Object.keys(configuredProps).filter((name) => !known.has(name) && (configuredProps[name] ?? null) !== null);
}

function unknownProps(manifest: Manifest, configuredProps: JsonObject): readonly PropProblem[] {
  const { props } = manifest;
  const names = props
    .map(({ name }) => name)
    .join(', ')
    .slice(0, messageCharsMax);
  const declaredProps = props.length === 0 ? 'it has no props' : `its props are ${names}`;
  return unknownNames(manifest, configuredProps).map((name) =>
    problemOf(name, `is not a prop of this component: ${declaredProps}`),
  );
}

function checkProp(definition: PropDefinition, configuredProps: JsonObject): CheckResult {
  const type = propTypeOf(definition.type);
  if (type === undefined) return { problem: `has the type ${definition.type}, which is not supported` };
  const configured = Object.hasOwn(configuredProps, definition.name)
    ? (configuredProps[definition.name] ?? null)
    : null;
  if (isNestedTooDeep(configured) || isNestedTooDeep(definition.default ?? null)) {
    return { problem: `is nested deeper than ${jsonDepthMax} levels` };
  }
  const checked = configured === null ? checkUnset(definition, type) : checkConfigured(definition, type, configured);
  return 'problem' in checked || checked.value === undefined ? checked : checkStorable(checked.value);
}

/**
 * The value of a prop for which none is given. Real components have defaults on required props too, and some that are
 * not among their options (docs/reference/component-api.md, "The definition of a component").
 */
function checkUnset(definition: PropDefinition, type: PropType): CheckResult {
  if (type.checkUnset !== undefined) return type.checkUnset(definition);
  const fallback = definition.default ?? null;
  if (fallback !== null) {
    const checked = type.check(withoutLabel(fallback, type), definition);
    if ('problem' in checked) return { problem: `has a wrong default, which ${checked.problem}` };
    return { value: defaultAsRead(definition, type, fallback) };
  }
  // Users cannot fill in hidden or disabled props.
  const isNeeded = ![definition.optional, definition.hidden, definition.disabled].includes(true);
  return isNeeded ? { problem: `is required (${definition.type})` } : { value: undefined };
}

/** The same, but accepts an invalid default: sources that are older than the check of defaults have it as a value. */
export function defaultValueOf(definition: PropDefinition): Json | undefined {
  const type = propTypeOf(definition.type);
  if (type === undefined) return undefined;
  const checked = checkUnset(definition, type);
  if ('value' in checked) return checked.value;
  const fallback = definition.default ?? null;
  return fallback === null ? undefined : defaultAsRead(definition, type, fallback);
}

const defaultAsRead = (definition: PropDefinition, type: PropType, fallback: Json): Json =>
  valueAsRead(definition, type, { value: withoutLabel(fallback, type), configured: fallback });

function checkConfigured(definition: PropDefinition, type: PropType, configured: Json): CheckResult {
  const checked = type.check(withoutLabel(configured, type), definition);
  if ('problem' in checked || checked.value === undefined) return checked;
  // A masked value copied from a response would otherwise fail only at the source's first request to the other service.
  if (definition.secret === true && checked.value === secretPlaceholder)
    return { problem: `must not be "${secretPlaceholder}", which only stands for the value where it is shown` };
  // The default is accepted even if it is not an option, because clients can send back what responses show.
  const isDefault = JSON.stringify(checked.value) === JSON.stringify(withoutLabel(definition.default ?? null, type));
  const problem = isDefault ? undefined : optionProblem(checked.value, definition);
  return problem === undefined
    ? { value: valueAsRead(definition, type, { value: checked.value, configured }) }
    : { problem };
}

interface ConfiguredValue {
  readonly value: Json;
  /** The value as it was given, perhaps with its label. */
  readonly configured: Json;
}

const valueAsRead = (definition: PropDefinition, type: PropType, { value, configured }: ConfiguredValue): Json =>
  definition.withLabel === true && type.labelled === true ? addLabels(value, configured, definition) : value;

function checkStorable(value: Json): CheckResult {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > sizes.propValueBytes) {
    return { problem: `is too large: ${bytes} bytes as JSON, at most ${sizes.propValueBytes} are kept` };
  }
  if (looksSealed(value)) return { problem: 'must not hold an object whose only name is "$sealed"' };
  return { value };
}

/** A value that looks sealed would be decrypted by its readers, so it is refused. Its depth has been checked. */
function looksSealed(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isSealed(value) || Object.values(value).some((inner: Json) => looksSealed(inner));
}
