// Parses the text of a filter; a text that is not a JSON object is a problem that the editor shows.

export type ParsedFilter = { readonly filter: Readonly<Record<string, unknown>> | null } | { readonly problem: string };

/** An empty text is null: no filter. */
export function parseFilter(text: string): ParsedFilter {
  if (text.trim() === '') return { filter: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: 'A filter is a JSON object.' };
    return { filter: Object.keys(value).length === 0 ? null : (value as Readonly<Record<string, unknown>>) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'This is no JSON.' };
  }
}
