// Fakes of the service's lists: all records page by page, or those that have a text in a field.
import type { Page, Paging } from '../../../libs/client/index.ts';

/** Pages of these records, as the service returns them. */
export const pagesOf =
  <T extends { readonly id: string }>(records: readonly T[], requests: Paging[] = []) =>
  async (paging: Paging): Promise<Page<T>> => {
    requests.push(paging);
    const start = paging.after === undefined ? 0 : records.findIndex(({ id }) => id === paging.after) + 1;
    const data = records.slice(start, start + (paging.limit ?? 10));
    const ends = { start_cursor: data[0]?.id ?? null, end_cursor: data.at(-1)?.id ?? null };
    return { page_info: { total_count: records.length, count: data.length, ...ends }, data };
  };

/** Returns the records that match exactly one field; throws if all are requested. */
export const filteredPagesOf =
  <T extends { readonly id: string }>(records: readonly T[], requests: object[] = []) =>
  async ({ limit = 10, after, ...fields }: Paging): Promise<Page<T>> => {
    requests.push({ limit, ...fields });
    const criteria = Object.entries(fields);
    if (criteria.length !== 1 || criteria[0]?.[1] === '') throw new Error('not one text is asked for');
    const chosen = records.filter((one) => criteria.every(([field, text]) => one[field as keyof T] === text));
    return pagesOf(chosen)(after === undefined ? { limit } : { limit, after });
  };
