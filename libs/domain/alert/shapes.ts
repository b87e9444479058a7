// The shapes of records about alerts; records that do not match are not used.
import { ident, millis, oneOf, optional, text } from '../shape/checks.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import { alertCodes } from './messages.ts';
import type { AlertCommand, AlertEvent } from './messages.ts';

const subject = { code: oneOf(...alertCodes), subject: ident };

export const alertCommands: ShapesOf<AlertCommand> = {
  RaiseAlert: { ...subject, message: text, since: optional(millis) },
  EndAlert: subject,
};

export const alertEvents: ShapesOf<AlertEvent> = {
  AlertRaised: { ...subject, message: text, since: optional(millis) },
  AlertContinued: { ...subject, message: text, since: millis },
  AlertEnded: subject,
};
