// Tells how a form treats a prop: whether it asks for a value, and which choices it offers.
import type { ConfigurableProp } from '../../api/records.ts';

/** Props of these types take no value from a user. */
const unaskedTypes = new Set(['$.interface.http', '$.interface.apphook', '$.service.db', 'alert', 'dir']);

export const isAskable = ({ type, hidden, disabled, static: fixed }: ConfigurableProp): boolean =>
  hidden !== true && disabled !== true && fixed === undefined && !unaskedTypes.has(type);

export const isRequired = (prop: ConfigurableProp): boolean => prop.optional !== true && prop.default === undefined;

export interface Choice {
  readonly label: string;
  /** JSON, so that 1 and "1" are two choices. */
  readonly value: string;
}

interface Pair {
  readonly label: unknown;
  readonly value: unknown;
}

const isPair = (option: unknown): option is Pair =>
  typeof option === 'object' && option !== null && 'label' in option && 'value' in option;

/** Each option is a value, or a value with a label. */
export const choicesOf = ({ options }: ConfigurableProp): readonly Choice[] | undefined =>
  options?.map((option) =>
    isPair(option)
      ? { label: String(option.label), value: JSON.stringify(option.value) }
      : { label: shownValue(option), value: JSON.stringify(option) },
  );

export const hasChoices = ({ options, remoteOptions }: ConfigurableProp): boolean =>
  options !== undefined || remoteOptions === true;

export const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The component reads the labels of chosen values, and only the form knows them. */
export const carriesLabels = ({ withLabel, options }: ConfigurableProp): boolean =>
  withLabel === true && options === undefined;

/** The draft of a chosen value, with its label if the component reads labels. */
export function labelledChoice(prop: ConfigurableProp, chosen: unknown): string {
  const value = isPair(chosen) && prop.withLabel === true ? chosen.value : chosen;
  if (!carriesLabels(prop)) return JSON.stringify(value);
  return JSON.stringify({ __lv: { label: isPair(chosen) ? String(chosen.label) : shownValue(value), value } });
}

export const valueOfChoice = (draft: string): unknown => JSON.parse(draft) as unknown;

/** The text for a chosen value that is not in the list. */
export function labelOfChoice(draft: string): string {
  const value = valueOfChoice(draft) as { readonly __lv?: Pair } | null;
  const labelled = typeof value === 'object' ? value?.__lv : undefined;
  return labelled === undefined ? shownValue(value) : String(labelled.label);
}

/** The value of an app prop is an account's id, or an object that contains it; empty: neither. */
export function accountIdIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const { authProvisionId } = (value ?? {}) as { readonly authProvisionId?: unknown };
  return typeof authProvisionId === 'string' ? authProvisionId : '';
}
