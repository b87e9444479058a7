// Reads the parameters in a query string, within the same bounds as those in a body.
import type { ApiProblem } from '../api-problem.ts';
import { refusedName, shortName, textFault } from '../json/text-fault.ts';
import { problemsOf } from './field-problem.ts';
import { parseQueryText } from './query-text.ts';
import type { QueryForms } from './query-text.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** The parameters by name, each with the value that it would have in a body. Throws ApiProblem 400. */
export function queryParameters(forms: QueryForms, query: Parameters): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(query).map(([name, text]) => {
      checkName(name);
      return [name, parseParameter(forms, name, text)] as const;
    }),
  );
}

function checkName(name: string): void {
  if (name === refusedName) throw refusalOf(name, `the name ${name} is not allowed`);
  const fault = textFault(name);
  if (fault !== undefined) throw refusalOf(name, `a name ${fault}`);
}

const refusalOf = (name: string, why: string): ApiProblem =>
  problemsOf([{ field: shortName(name), message: `The query string is refused: ${why}` }]);

/** A parameter that is given more than once becomes a list. */
function parseParameter(forms: QueryForms, name: string, text: unknown): unknown {
  const field = shortName(name);
  if (typeof text !== 'string') throw problemsOf([{ field, message: `${field} is given more than once` }]);
  const fault = textFault(text);
  if (fault !== undefined) throw problemsOf([{ field, message: `${field} ${fault}` }]);
  const parsed = parseQueryText(Object.hasOwn(forms, name) ? forms[name] : undefined, name, text);
  if ('value' in parsed) return parsed.value;
  throw problemsOf([{ field, message: `${field} is refused: ${parsed.fault}` }]);
}
