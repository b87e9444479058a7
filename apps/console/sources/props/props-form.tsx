// The fields for a component's props, with its own labels and options; secrets are hidden.
import type { ReactNode } from 'react';
import {
  Alert,
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
import { Marked } from '../../parts/marked/marked.tsx';
import { AccountField } from './records/account-field.tsx';
import { valuesSoFar } from './asking.ts';
import type { Asked } from './asking.ts';
import { choicesOf, isAsked, isRequired } from './prop-kinds.ts';
import type { Draft, Drafts } from './prop-values.ts';
import { DataStoreField } from './records/data-store-field.tsx';
import { RemoteField } from './remote-field.tsx';
import { TimerField } from './timer-field.tsx';

interface FormProps {
  /** The component that computes the options of these props. */
  readonly of: Asked;
  readonly props: readonly ConfigurableProp[];
  readonly drafts: Drafts;
  readonly problems: Readonly<Record<string, string>>;
  /** Called with one prop. */
  readonly onChange: (name: string, draft: Draft) => void;
}

export const PropsForm = ({ of, props, drafts, problems, onChange }: FormProps): ReactNode => (
  <>
    {props.map((prop) =>
      isAsked(prop) ? (
        <PropField
          key={prop.name}
          of={of}
          values={valuesSoFar(
            of,
            props.filter(({ name }) => name !== prop.name),
            drafts,
          )}
          prop={prop}
          draft={drafts[prop.name]}
          problem={problems[prop.name]}
          onChange={(draft) => onChange(prop.name, draft)}
        />
      ) : (
        <Told key={prop.name} prop={prop} />
      ),
    )}
  </>
);

const tones: Readonly<Record<string, string>> = { error: 'red', warning: 'yellow', info: 'well' };

/** Shows the text of an `alert` prop. */
const Told = ({ prop: { type, hidden, content, alertType = '' } }: { readonly prop: ConfigurableProp }): ReactNode =>
  type !== 'alert' || hidden === true || content === undefined ? null : (
    <Alert variant="outline" color={tones[alertType] ?? 'gray'} className="told">
      <Marked text={content} />
    </Alert>
  );

interface FieldProps {
  readonly of: Asked;
  /** The values of the other props. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly prop: ConfigurableProp;
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly onChange: (draft: Draft) => void;
}

function PropField(field: FieldProps): ReactNode {
  const { prop, draft, problem, onChange } = field;
  const said = {
    label: prop.label ?? prop.name,
    description: prop.description === undefined ? undefined : <Marked text={prop.description} />,
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
  if (prop.type === 'app') return <AccountField prop={prop} said={said} draft={textOf(draft)} onChange={onChange} />;
  if (prop.type === 'data_store') return <DataStoreField said={said} draft={textOf(draft)} onChange={onChange} />;
  if (prop.remoteOptions === true)
    return (
      <RemoteField
        of={field.of}
        values={field.values}
        prop={prop}
        said={said}
        onChange={onChange}
        draft={Array.isArray(draft) ? (draft as readonly string[]) : textOf(draft)}
      />
    );
  if (Array.isArray(draft)) return <ListField field={field} said={said} values={draft as readonly string[]} />;
  return <TextField field={field} said={said} text={textOf(draft)} />;
}

const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');

interface Labels {
  readonly label: string;
  readonly description: ReactNode;
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
    return (
      <Select
        {...said}
        clearable
        searchable
        data={[...choices]}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? '')}
      />
    );
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
