// Components of the npm registry: each app has one package, whose files say the keys of its components.

/** The scope of the packages. */
const scope = '@pipedream';
/** Length of a key, and of an app's name: as names of packages are bounded. */
export const keyCharsMax = 200;

/** What is to be found: the component with the key, or all of the app's. */
export interface Wanted {
  /** `gitlab` of `gitlab-new-issue`. */
  readonly app: string;
  readonly key?: string;
}

/** One component of a package, as its file tells. */
export interface RegistryComponent {
  readonly key: string;
  readonly type: 'source' | 'action';
  readonly name: string;
  readonly description: string;
}

export const isApp = (text: string): boolean => /^[a-z0-9_][a-z0-9_.]{0,99}$/.test(text);

/** The part before the first hyphen. Undefined: the key names no app. */
export function appOf(key: string): string | undefined {
  const [app = '', ...rest] = key.split('-');
  return isApp(app) && rest.length > 0 && key.length <= keyCharsMax ? app : undefined;
}

export const packageOf = (app: string): string => `${scope}/${app}`;

interface Place {
  readonly name: string;
  readonly version: string;
  /** Of the file in the package. */
  readonly path: string;
}

/** A program that is the component of this file, in exactly this version. */
export const codeOfPlace = ({ name, version, path }: Place): string =>
  `export { default } from ${JSON.stringify(`${name}@${version}/${path}`)};\n`;

/** Whether the program is a component of the package that has the components of this app. */
export const isOfApp = (code: string, app: string): boolean =>
  code.startsWith(`export { default } from "${packageOf(app)}@`) && /^[^\n]+";\n$/.test(code);
