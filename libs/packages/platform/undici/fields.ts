// Converts headers to undici's form: an object by name, with a list if several cookies are set.

export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function fieldsOf(headers: Headers): Fields {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 ? { 'set-cookie': cookies } : {}) };
}
