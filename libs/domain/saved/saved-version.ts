// Chooses the versions of records about saved components: a higher one if an older program would misread the record.
import { versionOfFiles } from '../source/source-version.ts';

const firstVersion = 1;
/** An older program would save the component, and publish nothing. */
export const publishedComponentsVersion = 7;
/** An older program would take it for an unreadable command, or for a trigger of a deleted source. */
export const registryVersion = 7;

/** An older program would show deleted components, and refuse a repeat whose component another request made. */
export const deletedComponentsVersion = 8;

/** An older program would not find the data, which is on `hooks`. */
const hooksReferenceVersion = 10;

export const versionOfFound = ({ hooksOffset }: { readonly hooksOffset?: number }): number =>
  hooksOffset === undefined ? firstVersion : hooksReferenceVersion;

interface Saving {
  readonly publish?: unknown;
  readonly publishes?: boolean;
}

export function versionOfSave(data: Saving): number {
  const isPublished = data.publish !== undefined || data.publishes === true;
  return Math.max(isPublished ? publishedComponentsVersion : firstVersion, versionOfFiles(data));
}

export const versionOfSaved = ({
  publishes,
  published,
}: Pick<Saving, 'publishes'> & { readonly published?: unknown }): number =>
  publishes === true || published !== undefined ? publishedComponentsVersion : firstVersion;

export const versionOfFetch = ({ find }: { readonly find?: unknown }): number =>
  find === undefined ? firstVersion : registryVersion;
