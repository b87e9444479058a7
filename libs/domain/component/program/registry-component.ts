// Components of the npm registry: each app has one package, whose files say the keys of its components.

/** The scope of the packages. */
const scope = '@pipedream';
/** The longest key or name of an app; the same bound as for names of packages. */
export const keyCharsMax = 200;

/** What to look for: the component with the key, or without one all components of the app. */
export interface RegistryQuery {
  /** `gitlab` of `gitlab-new-issue`. */
  readonly app: string;
  readonly key?: string;
}

/** One component of a package, described from its file. */
export interface RegistryComponent {
  readonly key: string;
  readonly type: 'source' | 'action';
  readonly name: string;
  readonly description: string;
}

export const isAppName = (text: string): boolean => /^[a-z0-9_][a-z0-9_.]{0,99}$/.test(text);

/** The part before the first hyphen. Undefined: the key names no app. */
export function appOf(key: string): string | undefined {
  const [app = '', ...rest] = key.split('-');
  return isAppName(app) && rest.length > 0 && key.length <= keyCharsMax ? app : undefined;
}

export const packageOf = (app: string): string => `${scope}/${app}`;

interface PackageFile {
  readonly name: string;
  readonly version: string;
  /** The path of the component's file in the package. */
  readonly path: string;
}

/** The text of a program that re-exports the component of this file, in exactly this version. */
export const reexportCodeOf = ({ name, version, path }: PackageFile): string =>
  `export { default } from ${JSON.stringify(`${name}@${version}/${path}`)};\n`;

/** Whether the program is one by `reexportCodeOf` for the package of this app. */
export const isReexportOfApp = (code: string, app: string): boolean =>
  code.startsWith(`export { default } from "${packageOf(app)}@`) && /^[^\n]+";\n$/.test(code);
