// The headers of a webhook: their values are sealed on arrival, and only their names are shown.
import type { AskedHeader, FixedHeader } from '../../../../domain/listener/messages.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { secretShown } from '../../../../domain/secrets/secret-shown.ts';

type Headers = Readonly<Record<string, string>>;

/** Always in the same order, whatever the case of the names. */
const entriesOf = (headers: Headers): [name: string, value: string][] =>
  Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

export const sealedHeaders = (
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  headers: Headers,
): readonly FixedHeader[] =>
  entriesOf(headers).map(([name, value]) => ({ name, value: parts.secrets.seal(workspace, value) }));

/** Whether a value is given as it was shown. */
export const hasShown = (headers: Headers): boolean => Object.values(headers).includes(secretShown);

/** `kept`: names of the headers that have a value which can stay. Throws ApiProblem 400. */
export function checkShown(headers: Headers, kept: readonly string[]): void {
  const lost = entriesOf(headers).find(([name, value]) => value === secretShown && !kept.includes(name));
  if (lost === undefined) return;
  const message = `headers.${lost[0]}: "${secretShown}" keeps a stored value, and there is none: send the value itself`;
  throw problemsOf([{ field: 'headers', message }]);
}

/** A client may send back the text that was shown in place of a value: the value stays as it is. */
export const changedHeaders = (
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  headers: Headers,
): readonly AskedHeader[] =>
  entriesOf(headers).map(([name, value]) => ({
    name,
    value: value === secretShown ? null : parts.secrets.seal(workspace, value),
  }));

export const shownHeaders = ({ headers = [] }: WebhookView): Headers =>
  Object.fromEntries(headers.map((name) => [name, secretShown]));
