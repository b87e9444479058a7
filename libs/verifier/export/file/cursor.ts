// Reads the cursors at which a broken export continues: opaque to clients, except for what the verifier checks.

/** The fields of a cursor that the verifier reads; the others are for the service alone. */
export interface CursorFacts {
  /** SHA-256 of all lines since the previous cursor, that one included. */
  readonly digest: string;
  readonly records: number;
}

export const cursorText = (facts: CursorFacts & Readonly<Record<string, unknown>>): string =>
  Buffer.from(JSON.stringify(facts)).toString('base64url');

/** Undefined for a text that is no cursor. */
export function cursorFacts(cursor: string): (CursorFacts & Readonly<Record<string, unknown>>) | undefined {
  try {
    const facts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof facts !== 'object' || facts === null) return undefined;
    const { digest, records } = facts as Partial<CursorFacts>;
    if (typeof digest !== 'string' || !Number.isSafeInteger(records)) return undefined;
    return facts as CursorFacts & Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
