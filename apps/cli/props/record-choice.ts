// Asks for a prop that takes an account or a data store: chosen by name, created, or typed as an id.
import type { Client, ConfigurableProp } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';

/** The records that a prop can take. */
export interface Records {
  readonly existing: readonly { readonly id: string; readonly label: string }[];
  /** Creates a record and returns its id; absent: that needs more than a name. */
  readonly create?: (name: string) => Promise<string>;
}

export type ReadRecords = (prop: ConfigurableProp) => Promise<Records | undefined>;

/** The most that a page can have. Others can be typed by id. */
const shownMax = 100;

/** Undefined: the prop does not take a record. */
export const recordsOf =
  (client: Pick<Client, 'accounts' | 'dataStores'>): ReadRecords =>
  async ({ type, app }) => {
    if (type === 'app') {
      const { data } = await client.accounts.list({ limit: shownMax, ...(app === undefined ? {} : { app }) });
      return { existing: data.map(({ id, name }) => ({ id, label: labelOf(name, id) })) };
    }
    if (type !== 'data_store') return undefined;
    const { data } = await client.dataStores.list({ limit: shownMax });
    return {
      existing: data.map(({ id, name }) => ({ id, label: labelOf(name, id) })),
      create: async (name) => (await client.dataStores.create(name)).id,
    };
  };

const labelOf = (name: string | null, id: string): string => (name === null ? id : `${plainLine(name)} (${id})`);

/** The choices in addition to the records, whose values are their ids. */
const [newChoice, typedChoice, noneChoice] = ['made', 'typed', 'none'] as const;

/** Undefined: nothing was chosen. Throws what `create` throws. */
export async function chooseRecord(
  prompts: Prompts,
  { optional }: ConfigurableProp,
  { message, records: { existing, create } }: { readonly message: string; readonly records: Records },
): Promise<string | undefined> {
  const choices: readonly Choice<string>[] = [
    ...existing.map(({ id, label }) => ({ value: id, label })),
    ...(create === undefined ? [] : [{ value: newChoice, label: 'A new one ...' }]),
    { value: typedChoice, label: 'Type an id ...' },
    ...(optional === true ? [{ value: noneChoice, label: 'None' }] : []),
  ];
  const chosen = await prompts.choose(message, choices);
  if (chosen === noneChoice) return undefined;
  if (chosen === newChoice && create !== undefined) return create(await prompts.text({ message: 'Its name' }));
  if (chosen === typedChoice) return (await prompts.text({ message, isOptional: optional === true })) || undefined;
  return chosen;
}
