// The headers of a webhook: sealed as they come in, and shown by their names alone.
import type { AskedHeader, FixedHeader } from '../../../../domain/listener/messages.ts';
import type { WebhookView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { secretShown } from '../sources/source.presenter.ts';

type Headers = Readonly<Record<string, string>>;

/** In a steady order, whatever the case of the names. */
const entriesOf = (headers: Headers): [name: string, value: string][] =>
  Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

export const sealedHeaders = (gateway: Gateway, { workspace }: Caller, headers: Headers): readonly FixedHeader[] =>
  entriesOf(headers).map(([name, value]) => ({ name, value: gateway.seal(workspace, value) }));

/** What was shown in place of a value may come back as it was answered: the value stays. */
export const changedHeaders = (gateway: Gateway, { workspace }: Caller, headers: Headers): readonly AskedHeader[] =>
  entriesOf(headers).map(([name, value]) => ({
    name,
    value: value === secretShown ? null : gateway.seal(workspace, value),
  }));

export const shownHeaders = ({ headers = [] }: WebhookView): Headers =>
  Object.fromEntries(headers.map((name) => [name, secretShown]));
