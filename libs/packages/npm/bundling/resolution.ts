// esbuild's plugin, which resolves imports to the author's files, installed packages, and packages of the service.
import type { Loader, OnLoadArgs, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { keyOf, parseSpecifier } from '../install/specifiers.ts';
import type { Specifier } from '../install/specifiers.ts';
import { mayComputeNames, missingFolderFor } from './imports/computed-names.ts';
import type { ComputedNames } from './imports/computed-names.ts';
import type { BundleTree } from './job.ts';
import { DamagedPackagesError } from './jail.ts';
import type { Jail } from './jail.ts';
import { loaderOf } from './program-files.ts';
import type { ProgramFiles } from './program-files.ts';
import { isServicePackage, serviceText } from './service-packages.ts';

/** The limit of Linux. The time to look up a longer path grows with its square. */
const pathUnitsMax = 4_096;
const tooLongMessage = `What an import names is longer than ${pathUnitsMax} characters`;

export const importPlugin = 'imports';
const programNamespace = 'program';
const serviceNamespace = 'service';
/** Marks a request of this plugin to esbuild, which must not be passed to the plugin again. */
const ownRequest = { isAsked: true };

/**
 * Adds a source map that maps no code of the file: positions in packages are useless to the author, and take more room
 * than the packages. esbuild ignores an empty map, so this one maps a position after the end.
 */
function withEmptyMap(text: string): string {
  const lines = text.split('\n').length + 2;
  const map = { version: 3, sources: ['package'], names: [], mappings: `${';'.repeat(lines)}AAAA` };
  return `${text}\n//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}\n`;
}
const mappable = /^\.(?:[cm]?[jt]s|[jt]sx)$/;

export interface ResolutionContext {
  readonly files: ProgramFiles;
  /** The loader of the entry. */
  readonly loader: Loader;
  readonly tree: BundleTree | null;
  /** Null: there is no tree. */
  readonly jail: Jail | null;
  readonly computed: ComputedNames;
}

const refusal = (text: string): OnResolveResult => ({ errors: [{ text }] });

export class Resolution {
  /** Packages that the author imports and that the tree lacks. */
  readonly needed = new Set<string>();
  isDamaged = false;
  readonly #context: ResolutionContext;

  constructor(context: ResolutionContext) {
    this.#context = context;
  }

  get plugin(): Plugin {
    return {
      name: importPlugin,
      setup: (build) => {
        build.onResolve({ filter: /.*/ }, (args) => this.#resolve(args, build));
        build.onLoad({ filter: /.*/, namespace: programNamespace }, ({ path }) => this.#loadOwnFile(path));
        build.onLoad({ filter: /.*/, namespace: serviceNamespace }, async ({ path }) => {
          return { contents: withEmptyMap(await serviceText(path)), loader: 'js' };
        });
        build.onLoad({ filter: /.*/, namespace: 'file' }, (args) => this.#loadPackageFile(args));
      },
    };
  }

  #resolve(
    args: OnResolveArgs,
    build: PluginBuild,
  ): Promise<OnResolveResult | undefined> | OnResolveResult | undefined {
    const { path, kind, importer, namespace, pluginData } = args;
    if (pluginData === ownRequest) return undefined;
    if (kind === 'entry-point') return { path: this.#context.files.entry, namespace: programNamespace };
    if (path.length > pathUnitsMax && !path.startsWith('data:')) return refusal(tooLongMessage);
    if (isBuiltin(path)) return { path, external: true };
    if (path.endsWith('.node') && !this.#isScript(args)) return { path, external: true };
    const isOwn = namespace === programNamespace;
    if (path.startsWith('.') || path.startsWith('/'))
      return isOwn ? this.#resolveOwnFile(path, importer) : this.#resolvePackageFile(args, build);
    const specifier = parseSpecifier(path);
    if (specifier === undefined) return isOwn ? refusal(notImportable(path)) : this.#resolvePackageFile(args, build);
    if (isServicePackage(specifier.name))
      return { path: specifier.name, namespace: serviceNamespace, sideEffects: false };
    return this.#resolvePackage(args, specifier, build);
  }

  /** Whether a name ending in `.node` omits a script's ending, as `./platform.node` for `platform.node.js`. */
  #isScript({ path, resolveDir }: OnResolveArgs): boolean {
    return path.startsWith('.') && this.#context.jail?.hasScript(join(resolveDir, `${path}.js`)) === true;
  }

  #resolveOwnFile(path: string, importer: string): OnResolveResult {
    const { files } = this.#context;
    const found = path.startsWith('/') ? undefined : files.resolve(path, importer);
    if (found !== undefined) return { path: found, namespace: programNamespace };
    return refusal(
      `No file of the component is ${JSON.stringify(path)}: give it in files, by its path from the component`,
    );
  }

  /**
   * Resolves an import of a package that is no package itself. A file outside of the packages is reported like one that
   * does not exist, so that no result reveals which files this machine has.
   */
  async #resolvePackageFile(args: OnResolveArgs, build: PluginBuild): Promise<OnResolveResult | undefined> {
    const { path, importer, kind, resolveDir } = args;
    if (path.startsWith('data:')) return undefined;
    const isFromItsFolder = resolveDir === dirname(importer);
    if (isFromItsFolder && this.#context.jail?.hasScript(join(resolveDir, path))) return undefined;
    return (await this.#resolveByEsbuild(build, path, dirname(importer), kind)) ?? { path, external: true };
  }

  async #resolvePackage(args: OnResolveArgs, specifier: Specifier, build: PluginBuild): Promise<OnResolveResult> {
    const { tree } = this.#context;
    const { path, namespace } = args;
    const isOwn = namespace === programNamespace;
    const key = tree === null ? undefined : keyOf(specifier, tree.dependencies);
    const isNamed = isOwn || specifier.range !== undefined;
    if (isNamed && (tree === null || key === undefined)) {
      this.needed.add(path);
      return { path, external: true };
    }
    const found = await this.#findInPackages(build, args, {
      ...specifier,
      name: isNamed ? (key ?? specifier.name) : specifier.name,
    });
    if (found !== undefined) return found;
    // An import of the author must be resolved; whether one of a package is optional is judged later.
    return isOwn ? refusal(notExported(specifier)) : { path, external: true };
  }

  async #findInPackages(
    build: PluginBuild,
    args: OnResolveArgs,
    { name, subPath }: Specifier,
  ): Promise<OnResolveResult | undefined> {
    const folder = this.#context.tree?.folder ?? '/';
    const from = args.namespace === programNamespace ? folder : dirname(args.importer);
    const found = await this.#resolveByEsbuild(build, name + subPath.slice(1), from, args.kind);
    if (found !== undefined || !name.startsWith('@pipedream/') || subPath === '.') return found;
    // Components are imported by their files, even if the package's `exports` does not list them.
    return this.#resolveByEsbuild(build, subPath, join(folder, 'node_modules', name), args.kind);
  }

  /** esbuild's own resolution; undefined also for a file that a bundle must not read. */
  async #resolveByEsbuild(
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
    } = await build.resolve(path, { resolveDir, kind, pluginData: ownRequest });
    if (errors.length > 0 || (!external && !this.#context.jail?.contains(found))) return undefined;
    return { path: found, external, sideEffects };
  }

  #loadOwnFile(path: string): OnLoadResult {
    const { files, loader } = this.#context;
    const contents = files.text(path) ?? '';
    const fileLoader = path === files.entry ? loader : loaderOf(path);
    if (fileLoader === undefined)
      return { errors: [{ text: `A component's files are scripts and JSON, not ${JSON.stringify(path)}` }] };
    return { ...this.#withComputedNames(`program:${path}`, contents), loader: fileLoader };
  }

  /** Makes esbuild look up computed names in a folder that does not exist. */
  #withComputedNames(file: string, text: string): OnLoadResult {
    const contents = this.#context.computed.rewrite(file, text);
    return mayComputeNames(contents) ? { contents, resolveDir: missingFolderFor(contents) } : { contents };
  }

  #loadPackageFile({ path }: OnLoadArgs): OnLoadResult {
    try {
      const bytes = this.#context.jail?.read(path);
      if (bytes === undefined) return { errors: [{ text: 'A file outside of the packages is imported' }] };
      if (!mappable.test(extname(path))) return { contents: bytes, loader: 'default' };
      const file = relative(this.#context.tree?.folder ?? '/', path);
      const result = this.#withComputedNames(file, bytes.toString('utf8'));
      return { ...result, contents: withEmptyMap(String(result.contents)), loader: 'default' };
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
