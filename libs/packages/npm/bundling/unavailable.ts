// Refuses packages that cannot work in an isolate, because they use their own sockets, start processes or load native
// code. Packages that import such modules only for a proxy or an unused option are bundled; using them nevertheless
// throws an error that says why.
import type { ComponentError } from '../../../domain/component/output.ts';
import type { Graph, Import, ImportStep } from './graph.ts';
import { packageOf } from './graph.ts';

const sockets: ReadonlySet<string> = new Set(['net', 'tls', 'dgram']);
const processes: ReadonlySet<string> = new Set(['child_process', 'cluster']);
const http: ReadonlySet<string> = new Set(['http', 'https']);
/** Requests without a module of Node. Does not match methods of the package with the same name. */
const webFetch = /\btypeof fetch\b|\bglobalThis\.fetch\b|\b(?:await|return) fetch\(/;

/** Packages that use HTTP too, but whose purpose needs a socket or a process. */
const neverHttp: ReadonlySet<string> = new Set(
  'mongodb mongoose tedious mssql nodemailer ssh2 ssh2-sftp-client puppeteer puppeteer-core playwright playwright-core'.split(
    ' ',
  ),
);
/** Packages of which components can use most: a command as a job, a browser or a vendor's tool needs a process. */
const rarelyProcesses: ReadonlySet<string> = new Set(['cron', 'node-cron', 'open', '@azure/identity']);
/** What the stand-in of `net` has, and what it has not: a file with the former alone opens no socket. */
const addressNames = /\bisIP(?:v[46])?\b/;
const socketNames = /\b(?:connect|createConnection|createServer|Server|Socket|Stream)\b/;

/** Packages that load native code from where a compiler has put it. */
const nativeLoaders: ReadonlySet<string> = new Set(
  'bindings node-gyp-build node-pre-gyp @mapbox/node-pre-gyp'.split(' '),
);

const bareName = (specifier: string): string => specifier.replace(/^node:/, '');

const nameOf = (folder: string): string =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length).replace(/\.[0-9a-f]{12}$/, '');

type MissingFeature = 'sockets' | 'processes' | 'native code';

function missingFeatureOf({ path, specifier, isExternal }: Import): MissingFeature | undefined {
  const name = bareName(specifier);
  if (path.endsWith('.node')) return 'native code';
  if (nativeLoaders.has(name)) return 'native code';
  if (!isExternal) return undefined;
  if (sockets.has(name)) return 'sockets';
  return processes.has(name) ? 'processes' : undefined;
}

/** Whether a file imports `net` only to judge addresses, as `maxmind` does. */
const onlyJudgesAddresses = ({ specifier }: Import, text: string): boolean =>
  bareName(specifier) === 'net' && addressNames.test(text) && !socketNames.test(text);

/** Returns a package and all packages that it imports, directly and indirectly. */
function closures(graph: Graph): (folder: string) => ReadonlySet<string> {
  const direct = new Map<string, Set<string>>();
  for (const file of graph.files) {
    const folder = packageOf(file);
    const others = direct.get(folder) ?? new Set<string>();
    direct.set(folder, others);
    for (const { path, isExternal } of graph.importsOf(file)) if (!isExternal) others.add(packageOf(path));
  }
  return (folder) => {
    const found = new Set([folder]);
    for (const one of found) for (const other of direct.get(one) ?? []) found.add(other);
    return found;
  };
}

function packagesWithHttp(graph: Graph): ReadonlySet<string> {
  const httpPackages = new Set<string>();
  for (const file of graph.files) {
    const usesHttp = graph
      .importsOf(file)
      .some(({ isExternal, specifier }) => isExternal && http.has(bareName(specifier)));
    if (usesHttp) httpPackages.add(packageOf(file));
  }
  return httpPackages;
}

/** Whether a package uses the web's `fetch`. Reads the package's files, so it is only called before a refusal. */
function createFetchDetector(graph: Graph, textOf: (file: string) => string): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  return (folder) => {
    const usesFetch =
      known.get(folder) ?? [...graph.files].some((file) => packageOf(file) === folder && webFetch.test(textOf(file)));
    known.set(folder, usesFetch);
    return usesFetch;
  };
}

export interface Refusal {
  readonly chain: readonly ImportStep[];
  readonly feature: MissingFeature;
}

/**
 * Imports of modules that an isolate lacks, in packages without HTTP: neither the package, nor one that leads to
 * it, nor one that it imports makes requests. `textOf` returns the text of a file.
 */
export function findRefusals(graph: Graph, textOf: (file: string) => string): readonly Refusal[] {
  const httpPackages = packagesWithHttp(graph);
  const usesFetch = createFetchDetector(graph, textOf);
  const closureOf = closures(graph);
  const refusals: Refusal[] = [];
  for (const file of graph.files) {
    const folder = packageOf(file);
    for (const one of folder === '' ? [] : graph.importsOf(file)) {
      const feature = missingFeatureOf(one);
      if (feature === undefined || (feature === 'sockets' && onlyJudgesAddresses(one, textOf(file)))) continue;
      const chain = graph.shortestChain(file, one);
      const onChain = chain.map(({ importer }) => packageOf(importer)).filter((name) => name !== '');
      if (feature === 'processes' && onChain.some((name) => rarelyProcesses.has(nameOf(name)))) continue;
      const related = [...onChain, ...closureOf(folder)].filter((name) => name !== '');
      const neverUsesHttp = feature === 'native code' || onChain.some((name) => neverHttp.has(nameOf(name)));
      const usesHttp = !neverUsesHttp && (related.some((name) => httpPackages.has(name)) || related.some(usesFetch));
      if (!usesHttp) refusals.push({ chain, feature });
    }
  }
  return refusals;
}

const reasons: Readonly<Record<MissingFeature, string>> = {
  sockets: 'has HTTP, and no sockets',
  processes: 'cannot start processes',
  'native code': 'cannot load native code',
};

export const refusalError = (graph: Graph, { chain, feature }: Refusal): ComponentError => ({
  name: 'ImportError',
  message: `A component ${reasons[feature]}, which this needs: ${graph.formatChain(chain)}`,
});
