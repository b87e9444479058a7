// The apps that a workspace sees: the known ones, and those that its sources and saved components name, by slug.
import { derivedId } from '../../id.ts';
import { knownApps } from './known-apps.ts';
import type { AuthType } from './known-apps.ts';

/** What one source or saved component says. */
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
  /** Names in `$auth`, as far as they are known. */
  readonly fields: readonly string[];
  /** Whether the workspace has a source, or a saved source component, that names it. */
  readonly hasSources: boolean;
  readonly hasActions: boolean;
}

/** An app has no record of its own: its id says the same as its slug. */
export const appIdOf = (slug: string): string => derivedId('app', slug);

/** As people would write the slug. */
export const appNameOf = (slug: string): string => knownApps.get(slug)?.name ?? wordsOf(slug);

const wordsOf = (slug: string): string =>
  slug
    .split(/[_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** In the order of their slugs. */
export function catalogueOf(uses: readonly AppUse[]): readonly App[] {
  const bySlug = new Map<string, App>([...knownApps].map(([slug, app]) => [slug, { slug, ...app, ...unused }]));
  for (const { apps, fields, type } of uses) {
    for (const slug of apps) {
      const app = bySlug.get(slug) ?? { slug, name: appNameOf(slug), auth: null, fields: [], ...unused };
      const all = [...new Set([...app.fields, ...fields])];
      const used = type === 'source' ? { hasSources: true } : { hasActions: true };
      bySlug.set(slug, { ...app, ...used, auth: app.auth ?? authOf(all), fields: all });
    }
  }
  return [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

const unused = { hasSources: false, hasActions: false };

/** A guess from the names. */
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
