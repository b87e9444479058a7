// Deploys a source, and asks the user for the props that the service's refusal says are missing or wrong.
import type { Client, ConfigurableProp, NewSource } from '../../../libs/client/index.ts';
import { isApiError } from '../failures/explain.ts';
import { isPassing } from '../failures/repeating.ts';
import { exitCodes, Failure } from '../failures/failure.ts';
import type { Session } from '../session/session.ts';
import { askProp, isAskable, isMissing } from './ask-prop.ts';
import type { Code } from './code.ts';
import { typedProps } from './prop-options.ts';
import type { PropInput } from './prop-options.ts';
import { recordsOf } from './record-choice.ts';
import type { ReadRecords } from './record-choice.ts';
import type { ReadOptions } from './remote-choice.ts';

type Values = Readonly<Record<string, unknown>>;

interface PropProblem {
  readonly field: string;
  readonly message: string;
}

export interface DeployInput {
  readonly code: Code;
  readonly given: PropInput;
  /** Ask for optional props, too. */
  readonly promptAll?: boolean | undefined;
}

/** After so many wrong answers, the refusal is thrown. */
const roundsMax = 10;

/** Repeats a refused deploy with props of the declared types, and at a terminal with the user's answers. */
export async function deployWithProps(
  session: Session,
  client: Client,
  { code, given, promptAll = false }: DeployInput,
  deploy: (props: Values) => Promise<NewSource>,
): Promise<NewSource> {
  const asking = new Asking(session, {
    readWith: (values) => optionsFrom(client, code, values),
    readRecords: recordsOf(client),
  });
  let props = typedProps(given, []);
  if (promptAll) {
    const definitions = await definitionsOf(client, code, props);
    props = typedProps(given, definitions);
    props = {
      ...props,
      ...(await asking.answers(
        definitions.filter((prop) => isAskable(prop, props)),
        props,
      )),
    };
  }
  for (let round = 0; ; round++) {
    try {
      return await deploy(props);
    } catch (error) {
      const refused = await refusedBy(client, { code, props }, error);
      if (refused === undefined || round === roundsMax) throw error;
      const typed = asking.hasAsked ? props : typedProps(given, refused.definitions);
      const wanted = refused.definitions.filter((prop) => isMissing(prop, typed) || asking.isWrong(prop, refused));
      const isTyped = JSON.stringify(typed) !== JSON.stringify(props);
      if (!isTyped && wanted.length === 0) throw error;
      if (!isTyped && !session.canAsk) throw lacking(error, refused, wanted);
      props = session.canAsk ? { ...typed, ...(await asking.answers(wanted, typed, refused.problems)) } : typed;
    }
  }
}

interface Reads {
  /** Reads the options of props with these values. */
  readonly readWith: (values: Values) => ReadOptions;
  readonly readRecords: ReadRecords;
}

/** Asks the user for props, and remembers which, because answers can be wrong. */
class Asking {
  readonly #session: Session;
  readonly #reads: Reads;
  readonly #asked = new Set<string>();

  constructor(session: Session, reads: Reads) {
    this.#session = session;
    this.#reads = reads;
  }

  get hasAsked(): boolean {
    return this.#asked.size > 0;
  }

  isWrong({ name }: ConfigurableProp, { problems }: Refused): boolean {
    return this.#asked.has(name) && problems.has(name);
  }

  /** Leaves out empty answers. The options of a prop can depend on `values` and on earlier answers. */
  async answers(
    wanted: readonly ConfigurableProp[],
    values: Values,
    problems?: ReadonlyMap<string, string>,
  ): Promise<Values> {
    if (wanted.length === 0) return {};
    const prompts = await this.#session.prompts('Props cannot be asked for.', 'Give them by --prop or --props.');
    const found: [string, unknown][] = [];
    for (const prop of wanted) {
      const problem = this.#asked.has(prop.name) ? problems?.get(prop.name) : undefined;
      const { readWith, readRecords } = this.#reads;
      const read = readWith({ ...values, ...Object.fromEntries(found) });
      const answer = await askProp(prompts, prop, { problem, read, readRecords });
      this.#asked.add(prop.name);
      if (answer !== undefined) found.push([prop.name, answer]);
    }
    return Object.fromEntries(found);
  }
}

/** The failure if nobody can be asked: says how to give the prop. */
function lacking(error: unknown, { definitions, problems }: Refused, wanted: readonly ConfigurableProp[]): Failure {
  const prop = definitions.find(({ name }) => problems.has(name)) ?? wanted[0];
  const name = prop?.name ?? 'NAME';
  const hint =
    prop?.type === 'app'
      ? `Connect an account by \`pd accounts create ${prop.app ?? 'APP'}\`, and give its id by --prop ${name}=apn_...`
      : `Give props by --prop ${name}=VALUE, or by --props FILE.`;
  return new Failure((error as Error).message.replaceAll(forProgrammers, ''), exitCodes.failed, hint);
}

/** A part of the service's message for callers of the API; at a terminal, the hint replaces it. */
const forProgrammers = /: connect one by POST \/v1\/accounts, and give \{[^}]*\}/g;

interface Refused {
  readonly definitions: readonly ConfigurableProp[];
  /** By prop. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Undefined: the refusal does not concern props, or the component cannot list its props. */
async function refusedBy(
  client: Client,
  { code, props }: { readonly code: Code; readonly props: Values },
  error: unknown,
): Promise<Refused | undefined> {
  const problems = problemsIn(error);
  if (problems === undefined) return undefined;
  try {
    return { definitions: await definitionsOf(client, code, props), problems };
  } catch (unanswered) {
    if (!isApiError(unanswered) || isPassing(unanswered)) throw unanswered;
    return undefined;
  }
}

/** Problems by prop. Undefined: the refusal does not concern props. */
function problemsIn(error: unknown): Refused['problems'] | undefined {
  if (!isApiError(error) || error.code !== 'props_invalid') return undefined;
  const { problems = [] } = (error.details ?? {}) as { readonly problems?: readonly PropProblem[] };
  return new Map(problems.map(({ field, message }) => [field, message]));
}

const optionsFrom =
  (client: Client, code: Code, values: Values): ReadOptions =>
  (asked) =>
    client.options({ ...code, ...asked, configured_props: values });

/** Includes what `additionalProps` adds for the values; if it fails, only the props of a saved component. */
async function definitionsOf(client: Client, code: Code, values: Values): Promise<readonly ConfigurableProp[]> {
  try {
    return await definitionsFor(client, code, values);
  } catch (error) {
    if (!isApiError(error) || code.component_id === undefined) throw error;
    return (await client.component(code.component_id)).configurable_props;
  }
}

/** Only asks, and saves nothing. Values that are invalid for their props are left out. */
async function definitionsFor(client: Client, code: Code, values: Values): Promise<readonly ConfigurableProp[]> {
  const asked = async (configured_props: Values): Promise<readonly ConfigurableProp[]> =>
    (await client.propsFor({ ...code, configured_props })).dynamic_props.configurable_props;
  try {
    return await asked(values);
  } catch (error) {
    const problems = problemsIn(error);
    if (problems === undefined) throw error;
    return asked(Object.fromEntries(Object.entries(values).filter(([name]) => !problems.has(name))));
  }
}
