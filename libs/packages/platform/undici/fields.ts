// Header fields as undici shows them: an object by name, a list where cookies are set more than once.

export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function fieldsOf(headers: Headers): Fields {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 ? { 'set-cookie': cookies } : {}) };
}
