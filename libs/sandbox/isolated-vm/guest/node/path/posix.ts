// path.posix: path-browserify, plus what Node has changed or added since.
import path from 'path-browserify';

type PathFunctions = Record<string, (...args: unknown[]) => unknown>;

/** Adds Node's code to the error of an invalid argument. */
function addErrorCode(original: PathFunctions[string]): PathFunctions[string] {
  return (...args) => {
    try {
      return original(...args);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
    }
  };
}

const { format } = path;

const pathFunctions: PathFunctions = {
  ...(path as unknown as PathFunctions),
  // The extension can lack its dot.
  format: (parts) => {
    const { ext, base } = (parts ?? {}) as { readonly ext?: string; readonly base?: string };
    const lacksDot = !base && typeof ext === 'string' && ext !== '' && !ext.startsWith('.');
    return format(lacksDot ? { ...(parts as object), ext: `.${ext}` } : (parts as object));
  },
  toNamespacedPath: (name) => name,
};

/** Extends the package's own object, so that everything that imports it has the same one. */
export const posixPath = Object.assign(
  path,
  Object.fromEntries(
    Object.entries(pathFunctions).map(([name, pathFunction]) => [
      name,
      typeof pathFunction === 'function' && name !== 'toNamespacedPath' ? addErrorCode(pathFunction) : pathFunction,
    ]),
  ),
);
