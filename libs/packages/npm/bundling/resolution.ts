// esbuild's plugin, which resolves imports to the author's files, installed packages, and packages of the service.
import type { Loader, OnLoadArgs, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { keyOf, parseSpecifier } from '../install/specifiers.ts';
import type { Specifier } from '../install/specifiers.ts';
import { mayComputeNames, nowhere } from './imports/computed-names.ts';
import type { ComputedNames } from './imports/computed-names.ts';
import type { BundleTree } from './job.ts';
import { DamagedPackagesError } from './jail.ts';
import type { Jail } from './jail.ts';
import { loaderOf } from './program-files.ts';
import type { ProgramFiles } from './program-files.ts';
import { isOfService, serviceText } from './service-packages.ts';

/** The limit of Linux. The time to look up a longer path grows with its square. */
const pathUnitsMax = 4_096;
const tooLong = `What an import names is longer than ${pathUnitsMax} characters`;

export const importPlugin = 'imports';
const ofProgram = 'program';
const ofService = 'service';
/** Marks a request of this plugin to esbuild, which must not be passed to the plugin again. */
const asked = { isAsked: true };

/**
 * Adds a source map that maps no code of the file: positions in packages are useless to the author, and take more room
 * than the packages. esbuild ignores an empty map, so this one maps a position after the end.
 */
function unmapped(text: string): string {
  const lines = text.split('\n').length + 2;
  const map = { version: 3, sources: ['package'], names: [], mappings: `${';'.repeat(lines)}AAAA` };
  return `${text}\n//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}\n`;
}
const mappable = /^\.(?:[cm]?[jt]s|[jt]sx)$/;

export interface Surroundings {
  readonly files: ProgramFiles;
  /** The loader of the entry. */
  readonly loader: Loader;
  readonly tree: BundleTree | null;
  /** Null: there is no tree. */
  readonly jail: Jail | null;
  readonly computed: ComputedNames;
}

const refused = (text: string): OnResolveResult => ({ errors: [{ text }] });

export class Resolution {
  /** Packages that the author imports and that the tree lacks. */
  readonly needed = new Set<string>();
  isDamaged = false;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  get plugin(): Plugin {
    return {
      name: importPlugin,
      setup: (build) => {
        build.onResolve({ filter: /.*/ }, (args) => this.#resolve(args, build));
        build.onLoad({ filter: /.*/, namespace: ofProgram }, ({ path }) => this.#loadOwn(path));
        build.onLoad({ filter: /.*/, namespace: ofService }, async ({ path }) => {
          return { contents: unmapped(await serviceText(path)), loader: 'js' };
        });
        build.onLoad({ filter: /.*/, namespace: 'file' }, (args) => this.#loadPackaged(args));
      },
    };
  }

  #resolve(
    args: OnResolveArgs,
    build: PluginBuild,
  ): Promise<OnResolveResult | undefined> | OnResolveResult | undefined {
    const { path, kind, importer, namespace, pluginData } = args;
    if (pluginData === asked) return undefined;
    if (kind === 'entry-point') return { path: this.#around.files.entry, namespace: ofProgram };
    if (path.length > pathUnitsMax && !path.startsWith('data:')) return refused(tooLong);
    if (isBuiltin(path)) return { path, external: true };
    if (path.endsWith('.node') && !this.#isScript(args)) return { path, external: true };
    const isOwn = namespace === ofProgram;
    if (path.startsWith('.') || path.startsWith('/'))
      return isOwn ? this.#ownFile(path, importer) : this.#packagedFile(args, build);
    const specifier = parseSpecifier(path);
    if (specifier === undefined) return isOwn ? refused(notImportable(path)) : this.#packagedFile(args, build);
    if (isOfService(specifier.name)) return { path: specifier.name, namespace: ofService, sideEffects: false };
    return this.#package(args, specifier, build);
  }

  /** Whether a name ending in `.node` omits a script's ending, as `./platform.node` for `platform.node.js`. */
  #isScript({ path, resolveDir }: OnResolveArgs): boolean {
    return path.startsWith('.') && this.#around.jail?.hasScript(join(resolveDir, `${path}.js`)) === true;
  }

  #ownFile(path: string, importer: string): OnResolveResult {
    const { files } = this.#around;
    const found = path.startsWith('/') ? undefined : files.resolve(path, importer);
    if (found !== undefined) return { path: found, namespace: ofProgram };
    return refused(
      `No file of the component is ${JSON.stringify(path)}: give it in files, by its path from the component`,
    );
  }

  /**
   * Resolves an import of a package that is no package itself. A file outside of the packages is reported like one that
   * does not exist, so that no result reveals which files this machine has.
   */
  async #packagedFile(args: OnResolveArgs, build: PluginBuild): Promise<OnResolveResult | undefined> {
    const { path, importer, kind, resolveDir } = args;
    if (path.startsWith('data:')) return undefined;
    const isFromItsFolder = resolveDir === dirname(importer);
    if (isFromItsFolder && this.#around.jail?.hasScript(join(resolveDir, path))) return undefined;
    return (await this.#ask(build, path, dirname(importer), kind)) ?? { path, external: true };
  }

  async #package(args: OnResolveArgs, specifier: Specifier, build: PluginBuild): Promise<OnResolveResult> {
    const { tree } = this.#around;
    const { path, namespace } = args;
    const isOwn = namespace === ofProgram;
    const key = tree === null ? undefined : keyOf(specifier, tree.dependencies);
    const isNamed = isOwn || specifier.range !== undefined;
    if (isNamed && (tree === null || key === undefined)) {
      this.needed.add(path);
      return { path, external: true };
    }
    const found = await this.#find(build, args, {
      ...specifier,
      name: isNamed ? (key ?? specifier.name) : specifier.name,
    });
    if (found !== undefined) return found;
    // An import of the author must be resolved; whether one of a package is optional is judged later.
    return isOwn ? refused(notExported(specifier)) : { path, external: true };
  }

  async #find(
    build: PluginBuild,
    args: OnResolveArgs,
    { name, subPath }: Specifier,
  ): Promise<OnResolveResult | undefined> {
    const folder = this.#around.tree?.folder ?? '/';
    const from = args.namespace === ofProgram ? folder : dirname(args.importer);
    const found = await this.#ask(build, name + subPath.slice(1), from, args.kind);
    if (found !== undefined || !name.startsWith('@pipedream/') || subPath === '.') return found;
    // Components are imported by their files, even if the package's `exports` does not list them.
    return this.#ask(build, subPath, join(folder, 'node_modules', name), args.kind);
  }

  /** esbuild's own resolution; undefined also for a file that a bundle must not read. */
  async #ask(
    build: PluginBuild,
    path: string,
    resolveDir: string,
    kind: OnResolveArgs['kind'],
  ): Promise<OnResolveResult | undefined> {
    const {
      path: found,
      errors,
      external,
      sideEffects,
    } = await build.resolve(path, { resolveDir, kind, pluginData: asked });
    if (errors.length > 0 || (!external && !this.#around.jail?.holds(found))) return undefined;
    return { path: found, external, sideEffects };
  }

  #loadOwn(path: string): OnLoadResult {
    const { files, loader } = this.#around;
    const contents = files.text(path) ?? '';
    const known = path === files.entry ? loader : loaderOf(path);
    if (known === undefined)
      return { errors: [{ text: `A component's files are scripts and JSON, not ${JSON.stringify(path)}` }] };
    return { ...this.#computable(`program:${path}`, contents), loader: known };
  }

  /** Makes esbuild look up computed names in a folder that does not exist. */
  #computable(file: string, text: string): OnLoadResult {
    const contents = this.#around.computed.written(file, text);
    return mayComputeNames(contents) ? { contents, resolveDir: nowhere(contents) } : { contents };
  }

  #loadPackaged({ path }: OnLoadArgs): OnLoadResult {
    try {
      const bytes = this.#around.jail?.read(path);
      if (bytes === undefined) return { errors: [{ text: 'A file outside of the packages is imported' }] };
      if (!mappable.test(extname(path))) return { contents: bytes, loader: 'default' };
      const file = relative(this.#around.tree?.folder ?? '/', path);
      const made = this.#computable(file, bytes.toString('utf8'));
      return { ...made, contents: unmapped(String(made.contents)), loader: 'default' };
    } catch (error) {
      this.isDamaged ||= error instanceof DamagedPackagesError;
      return { errors: [{ text: (error as Error).message }] };
    }
  }
}

const notImportable = (path: string): string =>
  `${JSON.stringify(path)} is no package of a registry: import "name", "name@range" or a file of one, "name@range/file"`;

const notExported = ({ name, range, subPath }: Specifier): string => {
  const what = range === undefined ? name : `${name}@${range}`;
  return subPath === '.' ? `The package ${what} has no main file` : `The package ${what} has no file ${subPath}`;
};
