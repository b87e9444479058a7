// A prop that names a record of the workspace, an account or a data store: chosen by its name, made, or typed as an id.
import type { Client, ConfigurableProp } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';

/** What a prop may name. */
export interface Records {
  readonly found: readonly { readonly id: string; readonly label: string }[];
  /** Makes another one and gives its id; absent: that takes more than a name. */
  readonly create?: (name: string) => Promise<string>;
}

export type ReadRecords = (prop: ConfigurableProp) => Promise<Records | undefined>;

/** As many as a page may have. Others are named by their ids. */
const shownMax = 100;

/** Undefined: the prop names no record. */
export const recordsOf =
  (client: Pick<Client, 'accounts' | 'dataStores'>): ReadRecords =>
  async ({ type, app }) => {
    if (type === 'app') {
      const { data } = await client.accounts.list({ limit: shownMax, ...(app === undefined ? {} : { app }) });
      return { found: data.map(({ id, name }) => ({ id, label: labelled(name, id) })) };
    }
    if (type !== 'data_store') return undefined;
    const { data } = await client.dataStores.list({ limit: shownMax });
    return {
      found: data.map(({ id, name }) => ({ id, label: labelled(name, id) })),
      create: async (name) => (await client.dataStores.create(name)).id,
    };
  };

const labelled = (name: string | null, id: string): string => (name === null ? id : `${plainLine(name)} (${id})`);

/** What may be chosen beside the records, which are chosen by their ids. */
const [made, typed, none] = ['made', 'typed', 'none'] as const;

/** Undefined: nothing was chosen. Throws what making one throws. */
export async function chooseRecord(
  prompts: Prompts,
  { optional }: ConfigurableProp,
  { message, records: { found, create } }: { readonly message: string; readonly records: Records },
): Promise<string | undefined> {
  const choices: readonly Choice<string>[] = [
    ...found.map(({ id, label }) => ({ value: id, label })),
    ...(create === undefined ? [] : [{ value: made, label: 'A new one ...' }]),
    { value: typed, label: 'Type an id ...' },
    ...(optional === true ? [{ value: none, label: 'None' }] : []),
  ];
  const chosen = await prompts.choose(message, choices);
  if (chosen === none) return undefined;
  if (chosen === made && create !== undefined) return create(await prompts.text({ message: 'Its name' }));
  if (chosen === typed) return (await prompts.text({ message, isOptional: optional === true })) || undefined;
  return chosen;
}
