// A deploy that asks for what its component lacks: the component says so itself, by its refusal.
import type { Client, ConfigurableProp, NewSource } from '../../../libs/client/index.ts';
import { isApiError } from '../program/explain.ts';
import { exitCodes, Failure } from '../program/failure.ts';
import type { Session } from '../program/session.ts';
import { askProp, isMissing } from './ask-prop.ts';
import { typedProps } from './prop-options.ts';
import type { Code } from './code.ts';
import type { PropInput } from './prop-options.ts';

type Values = Readonly<Record<string, unknown>>;

interface PropProblem {
  readonly field: string;
  readonly message: string;
}

/** Whoever answers wrongly again and again gets the refusal in the end. */
const roundsMax = 10;

/** Repeats the deploy with props of the right types, and at a terminal with what it asked for. */
export async function deployWithProps(
  session: Session,
  client: Client,
  { code, given }: { readonly code: Code; readonly given: PropInput },
  deploy: (props: Values) => Promise<NewSource>,
): Promise<NewSource> {
  let props = typedProps(given, []);
  const asked = new Set<string>();
  for (let round = 0; ; round++) {
    try {
      return await deploy(props);
    } catch (error) {
      const refused = await refusedBy(client, code, error);
      if (refused === undefined || round === roundsMax) throw error;
      const typed = round === 0 ? typedProps(given, refused.definitions) : props;
      const wanted = refused.definitions.filter(
        (prop) => isMissing(prop, typed) || (asked.has(prop.name) && refused.problems.has(prop.name)),
      );
      const isTyped = JSON.stringify(typed) !== JSON.stringify(props);
      if (!isTyped && (wanted.length === 0 || !session.canAsk))
        throw wanted.length === 0 ? error : lacking(error, wanted);
      props = { ...typed, ...(session.canAsk ? await answers(session, wanted, refused.problems) : {}) };
      for (const { name } of wanted) asked.add(name);
    }
  }

  async function answers(
    of: Session,
    wanted: readonly ConfigurableProp[],
    problems: ReadonlyMap<string, string>,
  ): Promise<Values> {
    const prompts = await of.prompts('Props are missing.');
    const found: [string, unknown][] = [];
    for (const prop of wanted) {
      const problem = asked.has(prop.name) ? problems.get(prop.name) : undefined;
      found.push([prop.name, await askProp(prompts, prop, problem)]);
    }
    return Object.fromEntries(found);
  }
}

/** Where nobody can be asked. */
function lacking(error: unknown, [first]: readonly ConfigurableProp[]): Failure {
  const hint = `Give props by --prop ${first?.name ?? 'name'}=VALUE, or by --props FILE.`;
  return new Failure((error as Error).message, exitCodes.failed, hint);
}

interface Refused {
  readonly definitions: readonly ConfigurableProp[];
  /** By prop. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Undefined: it was not for its props. */
async function refusedBy(client: Client, code: Code, error: unknown): Promise<Refused | undefined> {
  if (!isApiError(error) || error.code !== 'props_invalid') return undefined;
  const { problems = [] } = (error.details ?? {}) as { readonly problems?: readonly PropProblem[] };
  const definitions = await definitionsOf(client, code);
  return { definitions, problems: new Map(problems.map(({ field, message }) => [field, message])) };
}

/** A refused source does not say what its component takes; a saved component does, and the same code is saved once. */
async function definitionsOf(client: Client, { component_id, ...code }: Code): Promise<readonly ConfigurableProp[]> {
  const component = component_id === undefined ? client.saveComponent(code) : client.component(component_id);
  return (await component).configurable_props;
}
