// The headers of a webhook: encrypts their values on arrival; only their names are shown.
import type { HeaderChange, WebhookHeader } from '../../../../domain/listener/messages.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { problemsOf } from '../../http/input/field-problem.ts';
import { secretPlaceholder } from '../../../../domain/secrets/secret-placeholder.ts';

type Headers = Readonly<Record<string, string>>;

/** Always in the same order, whatever the case of the names. */
const entriesOf = (headers: Headers): [name: string, value: string][] =>
  Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

export const sealHeaders = (
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  headers: Headers,
): readonly WebhookHeader[] =>
  entriesOf(headers).map(([name, value]) => ({ name, value: parts.secrets.seal(workspace, value) }));

/** Whether a value is the text that was shown in its place. */
export const hasPlaceholder = (headers: Headers): boolean => Object.values(headers).includes(secretPlaceholder);

/** `storedNames`: names of the headers with a value that can stay. Throws ApiProblem 400. */
export function checkPlaceholders(headers: Headers, storedNames: readonly string[]): void {
  const missing = entriesOf(headers).find(
    ([name, value]) => value === secretPlaceholder && !storedNames.includes(name),
  );
  if (missing === undefined) return;
  const message = `headers.${missing[0]}: "${secretPlaceholder}" keeps a stored value, and there is none: send the value itself`;
  throw problemsOf([{ field: 'headers', message }]);
}

/** A client can send back the text that was shown in place of a value: the value then stays unchanged. */
export const sealChangedHeaders = (
  parts: Parts<'secrets'>,
  { workspace }: Caller,
  headers: Headers,
): readonly HeaderChange[] =>
  entriesOf(headers).map(([name, value]) => ({
    name,
    value: value === secretPlaceholder ? null : parts.secrets.seal(workspace, value),
  }));

export const placeholderHeaders = ({ headers = [] }: WebhookView): Headers =>
  Object.fromEntries(headers.map((name) => [name, secretPlaceholder]));
