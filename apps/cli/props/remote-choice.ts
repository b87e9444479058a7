// Asks for a prop whose options the component computes: listed by pages, searched if possible, or typed.
import type { ConfigurableProp, OptionsRequest, PropOptions } from '../../../libs/client/index.ts';
import { plainLine } from '../output/plain-text.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { typedValue } from './prop-options.ts';

/** The service's answer for one prop, with the values so far. */
export type ReadOptions = (request: Omit<OptionsRequest, 'configured_props'>) => Promise<PropOptions>;

interface Option {
  readonly label: string;
  readonly value: unknown;
}

/** The choices in addition to the options, whose values are their indexes, so that none equals these. */
const [moreChoice, searchChoice, typedChoice, noneChoice] = ['more', 'search', 'typed', 'none'] as const;

/** After so many pages without an empty one, the component is assumed to repeat itself. */
const pagesMax = 1_000;

/** Undefined: nothing was chosen. Throws what `read` throws. */
export async function chooseRemote(
  prompts: Prompts,
  prop: ConfigurableProp,
  { message, read }: { readonly message: string; readonly read: ReadOptions },
): Promise<unknown> {
  const pages = new OptionPages(prop, read);
  let found = await pages.next();
  for (;;) {
    const chosen = await prompts.choose(message, choicesOf(prop, found, pages.hasMore));
    if (chosen === noneChoice) return undefined;
    if (chosen === typedChoice) return typedAnswer(prompts, prop, message);
    if (chosen === moreChoice) found = await pages.next();
    else if (chosen === searchChoice) found = await pages.search(await prompts.text({ message: 'Search for' }));
    else return valueOf(prop, found[Number(chosen)]?.value);
  }
}

class OptionPages {
  readonly #name: string;
  readonly #read: ReadOptions;
  #query: string | undefined;
  #page = 0;
  #context: unknown = null;
  hasMore = true;

  constructor({ name }: ConfigurableProp, read: ReadOptions) {
    this.#name = name;
    this.#read = read;
  }

  /** Empty once there are no more. */
  async next(): Promise<readonly Option[]> {
    const queryField = this.#query === undefined ? {} : { query: this.#query };
    const request = { prop_name: this.#name, page: this.#page, prev_context: this.#context, ...queryField };
    const { options, string_options: texts = [], context } = await this.#read(request);
    const found = options ?? texts.map((text) => ({ label: text, value: text }));
    this.#page++;
    this.#context = context;
    this.hasMore = found.length > 0 && this.#page < pagesMax;
    return found;
  }

  search(query: string): Promise<readonly Option[]> {
    this.#query = query;
    this.#page = 0;
    this.#context = null;
    return this.next();
  }
}

function choicesOf(prop: ConfigurableProp, found: readonly Option[], hasMore: boolean): readonly Choice<string>[] {
  return [
    ...found.map(({ label }, at) => ({ value: String(at), label: plainLine(label) })),
    ...(hasMore ? [{ value: moreChoice, label: 'More ...' }] : []),
    ...(prop.useQuery === true ? [{ value: searchChoice, label: 'Search ...' }] : []),
    { value: typedChoice, label: 'Type a value ...' },
    ...(prop.optional === true ? [{ value: noneChoice, label: 'None' }] : []),
  ];
}

const valueOf = ({ type }: ConfigurableProp, value: unknown): unknown => (type.endsWith('[]') ? [value] : value);

/** For a list: several values, separated by commas. */
async function typedAnswer(prompts: Prompts, prop: ConfigurableProp, message: string): Promise<unknown> {
  const answer = await prompts.text({ message, isOptional: prop.optional === true });
  return answer === '' ? undefined : typedValue(answer, prop.type);
}
