// Whether a file can do without what it imports: whether the import stands where its failure is caught.
import { build } from 'esbuild';
import type { BuildFailure, Loader } from 'esbuild';

/** esbuild's own judgement: it reports an import that leads nowhere, unless a `try` or `catch` is around it. */
export async function isGuarded(text: string, loader: Loader, specifier: string): Promise<boolean> {
  // Without a folder to look in nothing is found, and no file of this machine is looked for.
  const stdin = { contents: text, loader, sourcefile: 'file' };
  try {
    // Of this platform no module is known, so that those of Node are not found either.
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
    return !errors.some(({ text: said }) => said === `Could not resolve "${specifier}"`);
  }
}
