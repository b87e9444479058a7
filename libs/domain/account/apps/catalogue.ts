// The apps that a workspace sees: the known ones, and those that its sources and saved components name, by slug.
import { derivedId } from '../../id.ts';
import { knownApps } from './known-apps.ts';
import type { AuthType } from './known-apps.ts';

/** The apps and fields that one source or saved component names. */
export interface AppUse {
  readonly apps: readonly string[];
  readonly fields: readonly string[];
  readonly type: 'source' | 'action';
}

export interface App {
  readonly slug: string;
  readonly name: string;
  /** Null: it needs no account. */
  readonly auth: AuthType | null;
  /** The known names of fields in `$auth`. */
  readonly fields: readonly string[];
  /** Whether the workspace has a source, or a saved source component, that names it. */
  readonly hasSources: boolean;
  readonly hasActions: boolean;
}

/** Apps have no records, so an app's id is derived from its slug. */
export const appIdOf = (slug: string): string => derivedId('app', slug);

/** The app's name for people: the known one, or the words of the slug with capitals. */
export const appNameOf = (slug: string): string => knownApps.get(slug)?.name ?? wordsOf(slug);

const wordsOf = (slug: string): string =>
  slug
    .split(/[_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** Sorted by slug. */
export function catalogueOf(uses: readonly AppUse[]): readonly App[] {
  const bySlug = new Map<string, App>([...knownApps].map(([slug, app]) => [slug, { slug, ...app, ...unused }]));
  for (const { apps, fields, type } of uses) {
    for (const slug of apps) {
      const app = bySlug.get(slug) ?? { slug, name: appNameOf(slug), auth: null, fields: [], ...unused };
      const allFields = [...new Set([...app.fields, ...fields])];
      const used = type === 'source' ? { hasSources: true } : { hasActions: true };
      bySlug.set(slug, { ...app, ...used, auth: app.auth ?? authOf(allFields), fields: allFields });
    }
  }
  return [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

const unused = { hasSources: false, hasActions: false };

/** Guesses the kind from the names of the fields. */
function authOf(fields: readonly string[]): AuthType | null {
  if (fields.length === 0) return null;
  return fields.includes('oauth_access_token') ? 'oauth' : 'keys';
}

/** Whether a form should hide what is typed into the field. */
export const isSecretField = (field: string): boolean => /key|secret|token|pass|json|credential/i.test(field);

/** `oauth_access_token` as `Oauth access token`. */
export function labelOf(field: string): string {
  const words = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[_.\s-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
