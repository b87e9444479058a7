// The headers of a webhook: encrypts their values on arrival; only their names are shown.
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

/** Whether a value is the text that was shown in its place. */
export const hasShown = (headers: Headers): boolean => Object.values(headers).includes(secretShown);

/** `kept`: names of the headers with a value that can stay. Throws ApiProblem 400. */
export function checkShown(headers: Headers, kept: readonly string[]): void {
  const lost = entriesOf(headers).find(([name, value]) => value === secretShown && !kept.includes(name));
  if (lost === undefined) return;
  const message = `headers.${lost[0]}: "${secretShown}" keeps a stored value, and there is none: send the value itself`;
  throw problemsOf([{ field: 'headers', message }]);
}

/** A client can send back the text that was shown in place of a value: the value then stays unchanged. */
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
