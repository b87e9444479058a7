// Deploys a source, and asks the user for the props that the service's refusal says are missing or wrong.
import type { Client, ConfigurableProp, NewSource } from '../../../libs/client/index.ts';
import { isApiError } from '../failures/explain.ts';
import { isTransient } from '../failures/retry.ts';
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
  readonly propInput: PropInput;
  /** Ask for optional props, too. */
  readonly promptAll?: boolean | undefined;
}

/** After so many wrong answers, the refusal is thrown. */
const roundsMax = 10;

/** Repeats a refused deploy with props of the declared types, and at a terminal with the user's answers. */
export async function deployWithProps(
  session: Session,
  client: Client,
  { code, propInput, promptAll = false }: DeployInput,
  deploy: (props: Values) => Promise<NewSource>,
): Promise<NewSource> {
  const prompter = new PropPrompter(session, {
    optionsReaderFor: (values) => optionsReader(client, code, values),
    readRecords: recordsOf(client),
  });
  let props = typedProps(propInput, []);
  if (promptAll) {
    const definitions = await definitionsOf(client, code, props);
    props = typedProps(propInput, definitions);
    props = {
      ...props,
      ...(await prompter.answers(
        definitions.filter((prop) => isAskable(prop, props)),
        props,
      )),
    };
  }
  for (let round = 0; ; round++) {
    try {
      return await deploy(props);
    } catch (error) {
      const refusal = await readRefusal(client, { code, props }, error);
      if (refusal === undefined || round === roundsMax) throw error;
      const typed = prompter.hasAsked ? props : typedProps(propInput, refusal.definitions);
      const missingProps = refusal.definitions.filter(
        (prop) => isMissing(prop, typed) || prompter.isWrong(prop, refusal),
      );
      const isTyped = JSON.stringify(typed) !== JSON.stringify(props);
      if (!isTyped && missingProps.length === 0) throw error;
      if (!isTyped && !session.canAsk) throw missingPropFailure(error, refusal, missingProps);
      props = session.canAsk ? { ...typed, ...(await prompter.answers(missingProps, typed, refusal.problems)) } : typed;
    }
  }
}

interface PropReaders {
  /** Reads the options of props with these values. */
  readonly optionsReaderFor: (values: Values) => ReadOptions;
  readonly readRecords: ReadRecords;
}

/** Asks the user for props, and remembers which, because answers can be wrong. */
class PropPrompter {
  readonly #session: Session;
  readonly #readers: PropReaders;
  readonly #asked = new Set<string>();

  constructor(session: Session, readers: PropReaders) {
    this.#session = session;
    this.#readers = readers;
  }

  get hasAsked(): boolean {
    return this.#asked.size > 0;
  }

  isWrong({ name }: ConfigurableProp, { problems }: PropsRefusal): boolean {
    return this.#asked.has(name) && problems.has(name);
  }

  /** Leaves out empty answers. The options of a prop can depend on `values` and on earlier answers. */
  async answers(
    missingProps: readonly ConfigurableProp[],
    values: Values,
    problems?: ReadonlyMap<string, string>,
  ): Promise<Values> {
    if (missingProps.length === 0) return {};
    const prompts = await this.#session.prompts('Props cannot be asked for.', 'Give them by --prop or --props.');
    const answered: [string, unknown][] = [];
    for (const prop of missingProps) {
      const problem = this.#asked.has(prop.name) ? problems?.get(prop.name) : undefined;
      const { optionsReaderFor, readRecords } = this.#readers;
      const read = optionsReaderFor({ ...values, ...Object.fromEntries(answered) });
      const answer = await askProp(prompts, prop, { problem, read, readRecords });
      this.#asked.add(prop.name);
      if (answer !== undefined) answered.push([prop.name, answer]);
    }
    return Object.fromEntries(answered);
  }
}

/** The failure if nobody can be asked: says how to give the prop. */
function missingPropFailure(
  error: unknown,
  { definitions, problems }: PropsRefusal,
  missingProps: readonly ConfigurableProp[],
): Failure {
  const prop = definitions.find(({ name }) => problems.has(name)) ?? missingProps[0];
  const name = prop?.name ?? 'NAME';
  const hint =
    prop?.type === 'app'
      ? `Connect an account by \`pd accounts create ${prop.app ?? 'APP'}\`, and give its id by --prop ${name}=apn_...`
      : `Give props by --prop ${name}=VALUE, or by --props FILE.`;
  return new Failure((error as Error).message.replaceAll(apiAdvice, ''), exitCodes.failed, hint);
}

/** A part of the service's message for callers of the API; at a terminal, the hint replaces it. */
const apiAdvice = /: connect one by POST \/v1\/accounts, and give \{[^}]*\}/g;

interface PropsRefusal {
  readonly definitions: readonly ConfigurableProp[];
  /** By prop. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Undefined: the refusal does not concern props, or the component cannot list its props. */
async function readRefusal(
  client: Client,
  { code, props }: { readonly code: Code; readonly props: Values },
  error: unknown,
): Promise<PropsRefusal | undefined> {
  const problems = problemsIn(error);
  if (problems === undefined) return undefined;
  try {
    return { definitions: await definitionsOf(client, code, props), problems };
  } catch (lookupError) {
    if (!isApiError(lookupError) || isTransient(lookupError)) throw lookupError;
    return undefined;
  }
}

/** Problems by prop. Undefined: the refusal does not concern props. */
function problemsIn(error: unknown): PropsRefusal['problems'] | undefined {
  if (!isApiError(error) || error.code !== 'props_invalid') return undefined;
  const { problems = [] } = (error.details ?? {}) as { readonly problems?: readonly PropProblem[] };
  return new Map(problems.map(({ field, message }) => [field, message]));
}

const optionsReader =
  (client: Client, code: Code, values: Values): ReadOptions =>
  (request) =>
    client.options({ ...code, ...request, configured_props: values });

/** Includes what `additionalProps` adds for the values; if it fails, only the props of a saved component. */
async function definitionsOf(client: Client, code: Code, values: Values): Promise<readonly ConfigurableProp[]> {
  try {
    return await requestDefinitions(client, code, values);
  } catch (error) {
    if (!isApiError(error) || code.component_id === undefined) throw error;
    return (await client.component(code.component_id)).configurable_props;
  }
}

/** Only asks, and saves nothing. Values that are invalid for their props are left out. */
async function requestDefinitions(client: Client, code: Code, values: Values): Promise<readonly ConfigurableProp[]> {
  const request = async (configured_props: Values): Promise<readonly ConfigurableProp[]> =>
    (await client.propsFor({ ...code, configured_props })).dynamic_props.configurable_props;
  try {
    return await request(values);
  } catch (error) {
    const problems = problemsIn(error);
    if (problems === undefined) throw error;
    return request(Object.fromEntries(Object.entries(values).filter(([name]) => !problems.has(name))));
  }
}
