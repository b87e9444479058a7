// Checks the values that a source is deployed with against the props that its component declares.
import { isNestedTooDeep, jsonDepthMax } from '../../json.ts';
import type { Json, JsonObject } from '../../json.ts';
import { sizes } from '../../sizes.ts';
import { secretShown } from '../../secrets/secret-shown.ts';
import { isSealed } from '../../secrets/seal.ts';
import type { Manifest, PropDefinition } from '../manifest.ts';
import type { PropProblem } from './prop-problem.ts';
import { labelled, withoutLabel } from './label-value.ts';
import { optionProblem } from './listed-options.ts';
import { anyProp } from './types/any.ts';
import type { Checked, PropType } from './types/prop-type.ts';
import { propTypeOf } from './prop-types.ts';

/** The values of all props that have one, defaults applied; or all problems. */
export type ValidatedProps = { readonly values: JsonObject } | { readonly problems: readonly PropProblem[] };

/** Characters of a name that a message quotes. */
const nameShownChars = 100;
/** Characters of a message, whatever the component wrote into its definitions: problems must fit into a record. */
const messageCharsMax = 1_000;

export function validateProps(manifest: Manifest, configuredProps: JsonObject): ValidatedProps {
  const { values, problems } = checkedProps(manifest, configuredProps);
  // Which props `additionalProps` adds is known only once it was asked, which needs values that are right.
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
  const { values, problems } = checkedProps(present, configuredProps);
  if (!manifest.additionalProps) problems.push(...unknownProps(manifest, configuredProps));
  if (problems.length > 0) return { problems };
  const others = manifest.additionalProps ? unknownNames(manifest, configuredProps) : [];
  const taken = others.map((name) => [name, withoutLabel(configuredProps[name] ?? null, anyProp)] as const);
  return { values: { ...values, ...Object.fromEntries(taken.filter(([, value]) => value !== null)) } };
}

function checkedProps(manifest: Manifest, configuredProps: JsonObject) {
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
  prop: prop.slice(0, nameShownChars),
  message: `Prop ${JSON.stringify(prop.slice(0, nameShownChars))} ${problem}.`.slice(0, messageCharsMax),
});

/** Without those that are null, as absent values are: an update takes the value of a prop that is no longer there. */
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
  const has = props.length === 0 ? 'it has no props' : `its props are ${names}`;
  return unknownNames(manifest, configuredProps).map((name) =>
    problemOf(name, `is not a prop of this component: ${has}`),
  );
}

function checkProp(definition: PropDefinition, configuredProps: JsonObject): Checked {
  const type = propTypeOf(definition.type);
  if (type === undefined) return { problem: `has the type ${definition.type}, which is not supported` };
  const given = Object.hasOwn(configuredProps, definition.name) ? (configuredProps[definition.name] ?? null) : null;
  if (isNestedTooDeep(given) || isNestedTooDeep(definition.default ?? null)) {
    return { problem: `is nested deeper than ${jsonDepthMax} levels` };
  }
  const checked = given === null ? unset(definition, type) : checkGiven(definition, type, given);
  return 'problem' in checked || checked.value === undefined ? checked : keepable(checked.value);
}

/**
 * What a prop has for which no value is given. Real components have defaults on required props too, and some that are
 * not among their options (docs/reference/component-api.md, "The definition of a component").
 */
function unset(definition: PropDefinition, type: PropType): Checked {
  if (type.unset !== undefined) return type.unset(definition);
  const fallback = definition.default ?? null;
  if (fallback !== null) {
    const checked = type.check(withoutLabel(fallback, type), definition);
    if ('problem' in checked) return { problem: `has a wrong default, which ${checked.problem}` };
    return { value: asDefault(definition, type, fallback) };
  }
  // Nobody can fill in what is hidden or disabled.
  const isNeeded = ![definition.optional, definition.hidden, definition.disabled].includes(true);
  return isNeeded ? { problem: `is required (${definition.type})` } : { value: undefined };
}

/** The same, although the default may be wrong: sources from before it was checked have it for a value. */
export function defaultValueOf(definition: PropDefinition): Json | undefined {
  const type = propTypeOf(definition.type);
  if (type === undefined) return undefined;
  const checked = unset(definition, type);
  if ('value' in checked) return checked.value;
  const fallback = definition.default ?? null;
  return fallback === null ? undefined : asDefault(definition, type, fallback);
}

const asDefault = (definition: PropDefinition, type: PropType, fallback: Json): Json =>
  asRead(definition, type, { value: withoutLabel(fallback, type), given: fallback });

function checkGiven(definition: PropDefinition, type: PropType, given: Json): Checked {
  const checked = type.check(withoutLabel(given, type), definition);
  if ('problem' in checked || checked.value === undefined) return checked;
  // A source that was copied with what answers show would fail only at its first request to the other service.
  if (definition.secret === true && checked.value === secretShown)
    return { problem: `must not be "${secretShown}", which only stands for the value where it is shown` };
  // What answers show as the value may be sent back.
  const isDefault = JSON.stringify(checked.value) === JSON.stringify(withoutLabel(definition.default ?? null, type));
  const problem = isDefault ? undefined : optionProblem(checked.value, definition);
  return problem === undefined ? { value: asRead(definition, type, { value: checked.value, given }) } : { problem };
}

interface Choice {
  readonly value: Json;
  /** As given, perhaps with its label. */
  readonly given: Json;
}

const asRead = (definition: PropDefinition, type: PropType, { value, given }: Choice): Json =>
  definition.withLabel === true && type.labelled === true ? labelled(value, given, definition) : value;

function keepable(value: Json): Checked {
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
