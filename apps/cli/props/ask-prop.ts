// Asks for missing props of a component, with the component's own labels.
import type { ConfigurableProp } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { isApiError } from '../failures/explain.ts';
import { typedValue } from './prop-options.ts';
import { chooseRecord } from './record-choice.ts';
import type { ReadRecords } from './record-choice.ts';
import { chooseRemote } from './remote-choice.ts';
import type { ReadOptions } from './remote-choice.ts';

/** Props of these types take no value from a user. */
const unaskedTypes = /^(\$\.service\.|\$\.interface\.http$|alert$|dir$)/;

/** Whether the prop takes a value from the user and has none. */
export function isAskable(
  { name, type, ...prop }: ConfigurableProp,
  values: Readonly<Record<string, unknown>>,
): boolean {
  if (unaskedTypes.test(type) || prop.static !== undefined || prop.hidden === true || prop.disabled === true)
    return false;
  return values[name] === undefined;
}

export const isMissing = (prop: ConfigurableProp, values: Readonly<Record<string, unknown>>): boolean =>
  isAskable(prop, values) && prop.optional !== true && prop.default === undefined;

/** Undefined if the component's default cannot be shown unchanged. */
function initialOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return plainLine(text) === text ? text : undefined;
}

export interface AskOptions {
  /** The service's objection to the last answer. */
  readonly problem?: string | undefined;
  /** For a prop whose options the component computes. */
  readonly read?: ReadOptions;
  /** For a prop that names an account or a data store. */
  readonly readRecords?: ReadRecords;
}

/** Undefined: an optional prop was left empty. */
export async function askProp(
  prompts: Prompts,
  prop: ConfigurableProp,
  { problem, read, readRecords }: AskOptions = {},
): Promise<unknown> {
  const message = [labelOf(prop), ...(problem === undefined ? [] : [plainLine(problem)])].join('\n');
  const isOptional = prop.optional === true;
  if (prop.secret === true) return undefinedIfEmpty(await prompts.secret({ message, isOptional }));
  if (prop.type === 'boolean') return prompts.confirm(message, prop.default === true);
  const records = await readRecords?.(prop);
  if (records !== undefined) return chooseRecord(prompts, prop, { message, records });
  if (prop.remoteOptions === true && read !== undefined) return chooseOrType(prompts, prop, { message, read });
  const choices = choicesOf(prop);
  if (choices.length > 0 && !prop.type.endsWith('[]')) return valueOf(prop, await prompts.choose(message, choices));
  const { default: initial } = prop;
  const several = choices.length === 0 ? '' : `\nOne or more of: ${choices.map(({ label }) => label).join(', ')}`;
  const answer = await prompts.text({
    message: `${message}${several}`,
    isOptional,
    initial: initialOf(initial),
    problem: (text) => problemOf(text, prop),
  });
  return answer === '' ? undefined : typedValue(answer, prop.type);
}

/** If the component cannot compute its options now, the user types the value. */
async function chooseOrType(
  prompts: Prompts,
  prop: ConfigurableProp,
  { message, read }: { readonly message: string; readonly read: ReadOptions },
): Promise<unknown> {
  try {
    return await chooseRemote(prompts, prop, { message, read });
  } catch (error) {
    if (!isApiError(error)) throw error;
    const { remoteOptions: _remote, ...plain } = prop;
    return askProp(prompts, plain, { problem: `${error.message} Type the value.` });
  }
}

const undefinedIfEmpty = (answer: string): string | undefined => (answer === '' ? undefined : answer);

function labelOf({ name, label, description, type }: ConfigurableProp): string {
  const title = plainLine(label ?? name);
  const hint = type === '$.interface.timer' ? 'seconds between runs, or a cron expression' : undefined;
  const explanation = description === undefined ? hint : plainLine(description);
  return explanation === undefined ? title : `${title}: ${explanation}`;
}

function problemOf(text: string, { type, min, max }: ConfigurableProp): string | undefined {
  if (type !== 'integer') return undefined;
  const value = typedValue(text, type);
  if (!Number.isInteger(value)) return 'It must be a whole number.';
  if (min !== undefined && Number(value) < min) return `It must be ${min} or more.`;
  return max !== undefined && Number(value) > max ? `It must be ${max} or less.` : undefined;
}

interface Labelled {
  readonly label?: unknown;
  readonly value?: unknown;
}

const isLabelled = (option: unknown): option is Labelled =>
  typeof option === 'object' && option !== null && 'value' in option;

/** Choices are identified by index, because values can have any type. */
function choicesOf({ options = [] }: ConfigurableProp): readonly Choice<string>[] {
  return options.map((option, at) => {
    const { label, value } = isLabelled(option) ? option : { label: option, value: option };
    return { value: String(at), label: plainLine(String(label ?? value)) };
  });
}

function valueOf({ options = [] }: ConfigurableProp, chosen: string): unknown {
  const option = options[Number(chosen)];
  return isLabelled(option) ? option.value : option;
}
