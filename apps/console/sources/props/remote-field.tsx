// The field of a prop whose options the component computes: listed by pages or searched; other values can be typed.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Combobox, Loader, Pill, TextInput, useCombobox } from '@mantine/core';
import { problemOf } from '../../api/problem.ts';
import type { ConfigurableProp } from '../../api/records.ts';
import { useDebounced } from '../../parts/hooks/debounced.ts';
import type { ComponentRef } from './component-ref.ts';
import { labelOfChoice, labelledChoice } from './prop-kinds.ts';
import type { Choice } from './prop-kinds.ts';
import { useRemoteOptions } from './remote-options.ts';
import type { RemoteOptions } from './remote-options.ts';

/** More options than anybody looks through; typing narrows them. */
const shownMax = 200;
const moreOption = 'more';
const typedOption = 'typed';

export interface RemoteFieldProps {
  readonly componentRef: ComponentRef;
  readonly prop: ConfigurableProp;
  /** The values of the other props. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly fieldProps: {
    readonly label: string;
    readonly description: ReactNode;
    readonly required: boolean;
    readonly error: string | undefined;
  };
  /** A text: one choice, or none if empty; a list: several choices. */
  readonly draft: string | readonly string[];
  readonly onChange: (draft: string | readonly string[]) => void;
}

export function RemoteField({ componentRef, prop, values, fieldProps, draft, onChange }: RemoteFieldProps): ReactNode {
  const [text, setText] = useState<string>();
  const [opened, setOpened] = useState(false);
  const combobox = useCombobox({
    opened,
    onOpenedChange: setOpened,
    onDropdownClose: () => setText(undefined),
  });
  const query = useDebounced(prop.useQuery === true && text !== undefined && text !== '' ? text : null);
  const options = useRemoteOptions({ componentRef, prop, values, query: query ?? undefined, enabled: opened });
  const isSingle = typeof draft === 'string';
  const chosen = isSingle ? (draft === '' ? [] : [draft]) : draft;
  const labelOf = (value: string): string =>
    options.choices.find((choice) => choice.value === value)?.label ?? labelOfChoice(value);
  const selectOption = (value: string): void => {
    if (value === moreOption) return options.loadMore();
    const picked = value === typedOption ? typedChoice(prop, text ?? '') : value.slice(1);
    onChange(isSingle ? picked : [...chosen.filter((one) => one !== picked), picked]);
    setText(undefined);
    if (isSingle) combobox.closeDropdown();
  };
  const change = (value: string): void => {
    setText(value);
    if (isSingle && value === '') onChange('');
    combobox.openDropdown();
    combobox.updateSelectedOptionIndex();
  };
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={selectOption} middlewares={{ flip: true, shift: true }}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            {...fieldProps}
            autoComplete="off"
            role="combobox"
            placeholder={isSingle ? 'Choose or type' : 'Choose one after the other'}
            value={text ?? (isSingle && chosen[0] !== undefined ? labelOf(chosen[0]) : '')}
            rightSection={opened && options.isLoading ? <Loader size={16} /> : <Combobox.Chevron />}
            rightSectionPointerEvents="none"
            onChange={({ currentTarget: { value } }) => change(value)}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options className="options" aria-label={fieldProps.label}>
            <OptionList prop={prop} options={options} text={text} chosen={chosen} />
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {isSingle ? null : <ChosenPills label={fieldProps.label} chosen={chosen} labelOf={labelOf} onChange={onChange} />}
    </div>
  );
}

interface ChosenPillsProps {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly labelOf: (draft: string) => string;
  readonly onChange: (chosen: readonly string[]) => void;
}

const ChosenPills = ({ label, chosen, labelOf, onChange }: ChosenPillsProps): ReactNode =>
  chosen.length === 0 ? null : (
    <ul className="chosen" aria-label={`Chosen: ${label}`}>
      {chosen.map((value) => (
        <li key={value}>
          <Pill
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${labelOf(value)}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => onChange(chosen.filter((one) => one !== value))}
          >
            {labelOf(value)}
          </Pill>
        </li>
      ))}
    </ul>
  );

interface OptionListProps {
  readonly prop: ConfigurableProp;
  readonly options: RemoteOptions;
  readonly text: string | undefined;
  readonly chosen: readonly string[];
}

function OptionList({ prop, options, text, chosen }: OptionListProps): ReactNode {
  const matches = filterChoices(options.choices, prop.useQuery === true ? undefined : text);
  const isNew = text !== undefined && text.trim() !== '' && !matches.some(({ label }) => label === text.trim());
  const isEmpty = matches.length === 0 && !options.isLoading;
  return (
    <>
      {matches.slice(0, shownMax).map(({ label, value }) => (
        <Combobox.Option key={value} value={`=${value}`} active={chosen.includes(value)}>
          {label}
        </Combobox.Option>
      ))}
      {matches.length > shownMax ? <Combobox.Empty>There are more: type a part of the name</Combobox.Empty> : null}
      {options.hasMore ? (
        <Combobox.Option value={moreOption} disabled={options.isLoading}>
          More …
        </Combobox.Option>
      ) : null}
      {isNew ? <Combobox.Option value={typedOption}>Use “{text.trim()}”</Combobox.Option> : null}
      {options.error !== null ? (
        <Combobox.Empty className="bad-text">{problemOf(options.error).message}</Combobox.Empty>
      ) : null}
      {isEmpty && options.error === null ? <Combobox.Empty>No options; type a value</Combobox.Empty> : null}
      {options.isLoading && matches.length === 0 ? <Combobox.Empty>Asking the component …</Combobox.Empty> : null}
    </>
  );
}

function filterChoices(choices: readonly Choice[], text: string | undefined): readonly Choice[] {
  const searchText = (text ?? '').trim().toLowerCase();
  return searchText === '' ? choices : choices.filter(({ label }) => label.toLowerCase().includes(searchText));
}

/** For a prop of texts the text itself; for others, the JSON that it is, or else the text. */
function typedChoice(prop: ConfigurableProp, text: string): string {
  const trimmed = text.trim();
  if (prop.type.startsWith('string')) return labelledChoice(prop, trimmed);
  try {
    return labelledChoice(prop, JSON.parse(trimmed));
  } catch {
    return labelledChoice(prop, trimmed);
  }
}
