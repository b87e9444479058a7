// Validators for ids in requests: the pattern of each kind, and the message for any other text.
import { Matches } from 'class-validator';

/** Longer than the service's own ids, so that an id is refused as unknown rather than as malformed. */
const idCharacters = '[0-9A-Za-z]{1,32}';

/** `kind`: as as users know it, with its prefix. */
const idOf = (pattern: string, kind: string): PropertyDecorator =>
  Matches(new RegExp(`^(?:${pattern})$`), { message: `$property must be ${kind}` });

export const IsSourceId = (): PropertyDecorator => idOf(`dc_${idCharacters}`, 'the id of a source (dc_...)');

export const IsSubscriptionId = (): PropertyDecorator =>
  idOf(`sub_${idCharacters}`, 'the id of a subscription (sub_...)');

/** The listener that a subscription sends events to. */
export const IsListenerId = (): PropertyDecorator =>
  idOf(`(?:wh|dc)_${idCharacters}`, 'the id of a webhook (wh_...) or of a source (dc_...)');

/** What a subscription gets events from: a source, or every source of the workspace. */
export const IsEmitterId = (): PropertyDecorator =>
  idOf(
    String.raw`dc_\*|(?:dc|o|u)_${idCharacters}`,
    'the id of a source (dc_...), dc_*, or the id of a workspace (o_...) or user (u_...)',
  );
