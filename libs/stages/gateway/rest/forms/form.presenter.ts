// A component's answer to a form, as the API shows it.
import type { FormCallResult } from '../../../../domain/call/form.ts';
import { codeHashOf } from '../../../../domain/component/program/program.ts';
import type { Json } from '../../../../domain/json.ts';
import { observationsOf } from '../sources/source.presenter.ts';
import type { FormResult } from './form-client.ts';
import type { DynamicPropsRecord, OptionRecord, OptionsRecord } from './form-records.dto.ts';

type Options = Extract<FormCallResult, { kind: 'configure' }>['options'];

export function presentOptions({ returned: { options, context }, console }: FormResult<'configure'>): OptionsRecord {
  const list = areTexts(options) ? { string_options: options } : { options: options.map(presentOption) };
  return { ...list, context, observations: observationsOf(console), errors: [] };
}

const areTexts = (options: Options): options is readonly string[] =>
  options.every((option) => typeof option === 'string');

function presentOption(option: Json): OptionRecord {
  if (typeof option === 'object' && option !== null && 'label' in option && 'value' in option)
    return { label: String(option.label), value: option.value ?? null };
  return { label: typeof option === 'object' ? JSON.stringify(option) : String(option), value: option };
}

/** The id is derived from the props, so that nothing has to be stored. */
const idCharsMax = 16;

export const presentProps = ({ returned: { props }, console }: FormResult<'props'>): DynamicPropsRecord => ({
  dynamic_props: {
    id: `dyp_${codeHashOf({ code: JSON.stringify(props) }).slice(0, idCharsMax)}`,
    configurable_props: props,
  },
  observations: observationsOf(console),
  errors: [],
});
