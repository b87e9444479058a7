// Checks whether an import is optional for its file, because the failure is caught.
import { build } from 'esbuild';
import type { BuildFailure, Loader } from 'esbuild';

/** Uses esbuild, which reports an unresolved import unless it is inside of a `try` or has a `catch`. */
export async function isGuarded(text: string, loader: Loader, specifier: string): Promise<boolean> {
  // Without a resolve folder nothing is found, and no file of this machine is searched for.
  const stdin = { contents: text, loader, sourcefile: 'file' };
  try {
    // This platform has no known modules, so Node's are not found either.
    await build({
      stdin,
      platform: 'neutral',
      bundle: true,
      write: false,
      format: 'cjs',
      tsconfigRaw: {},
      logLevel: 'silent',
    });
    return true;
  } catch (failure) {
    const { errors = [] } = failure as Partial<BuildFailure>;
    return !errors.some(({ text: message }) => message === `Could not resolve "${specifier}"`);
  }
}
