// The shapes of records about API keys; records that do not match are not used.
import { ident, list, millis, nullable, oneOf, optional, text } from '../../shape/checks.ts';
import type { ShapesOf } from '../../shape/shapes.ts';
import { scopes } from './messages.ts';
import type { ApiKeyCommand, ApiKeyEvent, SessionCommand, SessionEvent } from './messages.ts';

const created = {
  keyId: ident,
  userId: ident,
  hash: ident,
  hint: text,
  name: text,
  scopes: list(oneOf(...scopes)),
  expiresAt: nullable(millis),
};
const used = { keyId: ident, usedAt: millis };
const refused = {
  keyId: ident,
  reason: oneOf('malformed', 'repeated', 'idempotency_conflict', 'too_many_keys', 'key_not_found', 'last_key'),
  message: text,
  existingId: optional(ident),
};

export const apiKeyCommands: ShapesOf<ApiKeyCommand> = {
  CreateApiKey: created,
  DeleteApiKey: { keyId: ident },
  NoteApiKeyUse: used,
};

export const apiKeyEvents: ShapesOf<ApiKeyEvent> = {
  ApiKeyCreated: created,
  ApiKeyCreateRefused: refused,
  ApiKeyDeleted: { keyId: ident, hash: ident },
  ApiKeyDeleteRefused: refused,
  ApiKeyUsed: used,
};

const session = { sessionId: ident, expiresAt: millis };

export const sessionCommands: ShapesOf<SessionCommand> = { EndSession: session };

export const sessionEvents: ShapesOf<SessionEvent> = {
  SessionEnded: session,
  SessionEndRefused: { sessionId: ident, reason: oneOf('malformed'), message: text },
};
