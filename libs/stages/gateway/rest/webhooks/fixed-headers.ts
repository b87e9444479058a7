// The headers of a webhook: their values are sealed on arrival, and only their names are shown.
import type { AskedHeader, FixedHeader } from '../../../../domain/listener/messages.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { secretShown } from '../secret-shown.ts';

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
