// What a component asks for, as fields: in its own words, with its options, secrets hidden.
import type { ReactNode } from 'react';
import {
  Checkbox,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  TagsInput,
  TextInput,
  Textarea,
} from '@mantine/core';
import type { ConfigurableProp } from '../../api/records.ts';
import { choicesOf, isAsked, isRequired } from './prop-values.ts';
import type { Draft, Drafts } from './prop-values.ts';
import { TimerField } from './timer-field.tsx';

interface FormProps {
  readonly props: readonly ConfigurableProp[];
  readonly drafts: Drafts;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (drafts: Drafts) => void;
}

export const PropsForm = ({ props, drafts, problems, onChange }: FormProps): ReactNode => (
  <>
    {props.filter(isAsked).map((prop) => (
      <PropField
        key={prop.name}
        prop={prop}
        draft={drafts[prop.name]}
        problem={problems[prop.name]}
        onChange={(draft) => onChange({ ...drafts, [prop.name]: draft })}
      />
    ))}
  </>
);

interface FieldProps {
  readonly prop: ConfigurableProp;
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly onChange: (draft: Draft) => void;
}

function PropField(field: FieldProps): ReactNode {
  const { prop, draft, problem, onChange } = field;
  const said = {
    label: prop.label ?? prop.name,
    description: prop.description,
    required: isRequired(prop),
    error: problem === undefined ? undefined : `${prop.label ?? prop.name} ${problem}`,
  };
  if (prop.type === '$.interface.timer' && typeof draft === 'object' && 'mode' in draft)
    return <TimerField {...said} schedule={draft} onChange={onChange} />;
  if (prop.type === 'boolean')
    return (
      <Checkbox
        {...said}
        required={false}
        checked={draft === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (Array.isArray(draft)) return <ListField field={field} said={said} values={draft as readonly string[]} />;
  return <TextField field={field} said={said} text={typeof draft === 'string' ? draft : ''} />;
}

interface Labels {
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly error: string | undefined;
}

interface ListFieldProps {
  readonly field: FieldProps;
  readonly said: Labels;
  readonly values: readonly string[];
}

function ListField({ field: { prop, onChange }, said, values }: ListFieldProps): ReactNode {
  const choices = choicesOf(prop);
  if (choices !== undefined)
    return <MultiSelect {...said} searchable data={[...choices]} value={[...values]} onChange={onChange} />;
  return <TagsInput {...said} placeholder="Enter after each" value={[...values]} onChange={onChange} />;
}

interface TextFieldProps {
  readonly field: FieldProps;
  readonly said: Labels;
  readonly text: string;
}

function TextField({ field: { prop, onChange }, said, text }: TextFieldProps): ReactNode {
  const choices = choicesOf(prop);
  const typed = { ...said, value: text };
  if (choices !== undefined)
    return <Select {...typed} clearable searchable data={[...choices]} onChange={(value) => onChange(value ?? '')} />;
  if (prop.secret === true)
    return (
      <PasswordInput
        {...typed}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => onChange(value)}
        {...(text === '[secret]' ? { description: 'A value is kept; type another to replace it.' } : {})}
      />
    );
  if (prop.type === 'integer')
    return (
      <NumberInput
        {...typed}
        allowDecimal={false}
        {...(prop.min === undefined ? {} : { min: prop.min })}
        {...(prop.max === undefined ? {} : { max: prop.max })}
        clampBehavior="none"
        onChange={(value) => onChange(String(value))}
      />
    );
  if (prop.type === 'string')
    return <TextInput {...typed} onChange={({ currentTarget: { value } }) => onChange(value)} />;
  return (
    <Textarea
      {...typed}
      autosize={false}
      rows={4}
      placeholder="JSON"
      classNames={{ input: 'mono' }}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}
