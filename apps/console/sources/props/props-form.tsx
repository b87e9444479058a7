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
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { AccountField } from './records/account-field.tsx';
import { currentValues } from './component-ref.ts';
import type { ComponentRef } from './component-ref.ts';
import { choicesOf, isAskable, isRequired } from './prop-kinds.ts';
import type { Draft, Drafts } from './prop-values.ts';
import { DataStoreField } from './records/data-store-field.tsx';
import { RemoteField } from './remote-field.tsx';
import { TimerField } from './timer-field.tsx';

interface FormProps {
  /** The component that computes the options of these props. */
  readonly componentRef: ComponentRef;
  readonly props: readonly ConfigurableProp[];
  readonly drafts: Drafts;
  readonly problems: Readonly<Record<string, string>>;
  /** Called with one prop. */
  readonly onChange: (name: string, draft: Draft) => void;
}

export const PropsForm = ({ componentRef, props, drafts, problems, onChange }: FormProps): ReactNode => (
  <>
    {props.map((prop) =>
      isAskable(prop) ? (
        <PropField
          key={prop.name}
          componentRef={componentRef}
          values={currentValues(
            componentRef,
            props.filter(({ name }) => name !== prop.name),
            drafts,
          )}
          prop={prop}
          draft={drafts[prop.name]}
          problem={problems[prop.name]}
          onChange={(draft) => onChange(prop.name, draft)}
        />
      ) : (
        <PropAlert key={prop.name} prop={prop} />
      ),
    )}
  </>
);

const tones: Readonly<Record<string, string>> = { error: 'red', warning: 'yellow', info: 'well' };

/** Shows the text of an `alert` prop. */
const PropAlert = ({
  prop: { type, hidden, content, alertType = '' },
}: {
  readonly prop: ConfigurableProp;
}): ReactNode =>
  type !== 'alert' || hidden === true || content === undefined ? null : (
    <Alert variant="outline" color={tones[alertType] ?? 'gray'} className="told">
      <Markdown text={content} />
    </Alert>
  );

interface FieldProps {
  readonly componentRef: ComponentRef;
  /** The values of the other props. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly prop: ConfigurableProp;
  readonly draft: Draft;
  readonly problem: string | undefined;
  readonly onChange: (draft: Draft) => void;
}

function PropField(field: FieldProps): ReactNode {
  const { prop, draft, problem, onChange } = field;
  const fieldProps = {
    label: prop.label ?? prop.name,
    description: prop.description === undefined ? undefined : <Markdown text={prop.description} />,
    required: isRequired(prop),
    error: problem === undefined ? undefined : `${prop.label ?? prop.name} ${problem}`,
  };
  if (prop.type === '$.interface.timer' && typeof draft === 'object' && 'mode' in draft)
    return <TimerField {...fieldProps} schedule={draft} onChange={onChange} />;
  if (prop.type === 'boolean')
    return (
      <Checkbox
        {...fieldProps}
        required={false}
        checked={draft === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (prop.type === 'app')
    return <AccountField prop={prop} fieldProps={fieldProps} draft={textOf(draft)} onChange={onChange} />;
  if (prop.type === 'data_store')
    return <DataStoreField fieldProps={fieldProps} draft={textOf(draft)} onChange={onChange} />;
  if (prop.remoteOptions === true)
    return (
      <RemoteField
        componentRef={field.componentRef}
        values={field.values}
        prop={prop}
        fieldProps={fieldProps}
        onChange={onChange}
        draft={Array.isArray(draft) ? (draft as readonly string[]) : textOf(draft)}
      />
    );
  if (Array.isArray(draft))
    return <ListField field={field} fieldProps={fieldProps} values={draft as readonly string[]} />;
  return <TextField field={field} fieldProps={fieldProps} text={textOf(draft)} />;
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
  readonly fieldProps: Labels;
  readonly values: readonly string[];
}

function ListField({ field: { prop, onChange }, fieldProps, values }: ListFieldProps): ReactNode {
  const choices = choicesOf(prop);
  if (choices !== undefined)
    return <MultiSelect {...fieldProps} searchable data={[...choices]} value={[...values]} onChange={onChange} />;
  return <TagsInput {...fieldProps} placeholder="Enter after each" value={[...values]} onChange={onChange} />;
}

interface TextFieldProps {
  readonly field: FieldProps;
  readonly fieldProps: Labels;
  readonly text: string;
}

function TextField({ field: { prop, onChange }, fieldProps, text }: TextFieldProps): ReactNode {
  const choices = choicesOf(prop);
  const textProps = { ...fieldProps, value: text };
  if (choices !== undefined)
    return (
      <Select
        {...fieldProps}
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
        {...textProps}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => onChange(value)}
        {...(text === '[secret]' ? { description: 'A value is kept; type another to replace it.' } : {})}
      />
    );
  if (prop.type === 'integer')
    return (
      <NumberInput
        {...textProps}
        allowDecimal={false}
        {...(prop.min === undefined ? {} : { min: prop.min })}
        {...(prop.max === undefined ? {} : { max: prop.max })}
        clampBehavior="none"
        onChange={(value) => onChange(String(value))}
      />
    );
  if (prop.type === 'string')
    return <TextInput {...textProps} onChange={({ currentTarget: { value } }) => onChange(value)} />;
  return (
    <Textarea
      {...textProps}
      autosize={false}
      rows={4}
      placeholder="JSON"
      classNames={{ input: 'mono' }}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}
