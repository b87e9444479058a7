// Finds the page of a record by its id.

const pages: readonly (readonly [prefix: string, path: string])[] = [
  ['dc_', '/sources/'],
  ['wh_', '/webhooks/'],
  ['sub_', '/subscriptions/'],
  ['sc_', '/components/'],
  ['apn_', '/accounts/'],
];

/** The path of the page; undefined: there is none. */
export function pageOf(id: string): string | undefined {
  const page = pages.find(([prefix]) => id.startsWith(prefix));
  return page === undefined ? undefined : page[1] + encodeURIComponent(id);
}
