// Chooses the versions of records about saved components: a higher one if an older program would misread the record.
import { filesVersion } from '../source/source-version.ts';

const first = 1;
/** An older program would save the component, and publish nothing. */
export const publishedComponents = 7;
/** An older program would take it for an unreadable command, or for a trigger of a deleted source. */
export const registry = 7;

/** An older program would show deleted components, and refuse a repeat whose component another request made. */
export const deletedComponents = 8;

/** An older program would not find the data, which is on `hooks`. */
const foundElsewhere = 10;

export const foundVersion = ({ hooksOffset }: { readonly hooksOffset?: number }): number =>
  hooksOffset === undefined ? first : foundElsewhere;

interface Saving {
  readonly publish?: unknown;
  readonly publishes?: boolean;
}

export function saveVersion(data: Saving): number {
  const isPublished = data.publish !== undefined || data.publishes === true;
  return Math.max(isPublished ? publishedComponents : first, filesVersion(data));
}

export const savedVersion = ({
  publishes,
  published,
}: Pick<Saving, 'publishes'> & { readonly published?: unknown }): number =>
  publishes === true || published !== undefined ? publishedComponents : first;

export const fetchVersion = ({ find }: { readonly find?: unknown }): number => (find === undefined ? first : registry);
