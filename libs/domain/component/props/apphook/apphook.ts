// Props of type `$.interface.apphook`: the source takes an app's events, forwarded by the holder of the app's webhook.
import { isJsonObject, type Json } from '../../../json.ts';
import type { ApphookInterface } from '../../http/interfaces.ts';
import type { Manifest, PropDefinition } from '../../manifest.ts';
import { sizes } from '../../../sizes.ts';
import { mustBe } from '../types/prop-type.ts';
import type { PropType } from '../types/prop-type.ts';

const apphookType = '$.interface.apphook';

/** The request path below an endpoint at which the app's events come in. */
export const apphookPath = '/apphook';

export const apphookProp: PropType = {
  /** Clients can send back the `{ endpoint_url }` of an earlier response; it is ignored. */
  check: (value) =>
    isJsonObject(value) ? { value: undefined } : mustBe('left out: its endpoint is made on deploy', value),
  checkUnset: () => ({ value: undefined }),
  valueless: true,
};

/** The same bound as for a channel's name. */
export const eventNameCharsMax = 255;
/** Bounded because every definition of the source holds the names. */
export const eventNamesMax = 500;

/** Null: none are named, so every event is taken. `problem` continues a sentence whose subject is the list of names. */
export type EventNames = { readonly names: readonly string[] | null } | { readonly problem: string };

export function readEventNames(input: Json): EventNames {
  if (input === null) return { names: null };
  const list = input as readonly Json[];
  if (!Array.isArray(input) || list.some((name) => typeof name !== 'string' || name === ''))
    return { problem: 'must be a list of texts' };
  const names = [...new Set(list as readonly string[])];
  if (names.length > eventNamesMax) return { problem: `has ${names.length} names; at most ${eventNamesMax} are taken` };
  const tooLong = names.find((name) => name.length > eventNameCharsMax || !name.isWellFormed());
  if (tooLong !== undefined)
    return { problem: `has a name of more than ${eventNameCharsMax} characters, or one that is no text` };
  if (Buffer.byteLength(JSON.stringify(names)) > sizes.propValueBytes)
    return { problem: `has more than ${sizes.propValueBytes} bytes of names` };
  return { names: names.length === 0 ? null : names };
}

export const isApphook = ({ type }: PropDefinition): boolean => type === apphookType;

/** Null: it has none. If `eventNames` is a function, every event is taken until it has been called. */
export function apphookOf(manifest: Manifest): ApphookInterface | null {
  const prop = manifest.props.find(isApphook);
  if (prop === undefined) return null;
  const read = readEventNames((prop.eventNames ?? null) as Json);
  return { eventNames: 'names' in read ? read.names : null };
}

/** Whether the source takes an event with these names; it takes every event without a name. */
export const acceptsEvent = ({ eventNames }: ApphookInterface, names: readonly string[]): boolean =>
  eventNames === null || names.length === 0 || names.some((name) => eventNames.includes(name));
