// path.posix: path-browserify, plus what Node has changed or added since.
import path from 'path-browserify';

type Ways = Record<string, (...args: unknown[]) => unknown>;

/** Adds Node's code to the error of an invalid argument. */
function coded(act: Ways[string]): Ways[string] {
  return (...args) => {
    try {
      return act(...args);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
    }
  };
}

const { format } = path;

const ways: Ways = {
  ...(path as unknown as Ways),
  // The extension can lack its dot.
  format: (parts) => {
    const { ext, base } = (parts ?? {}) as { readonly ext?: string; readonly base?: string };
    const isBare = !base && typeof ext === 'string' && ext !== '' && !ext.startsWith('.');
    return format(isBare ? { ...(parts as object), ext: `.${ext}` } : (parts as object));
  },
  toNamespacedPath: (name) => name,
};

/** Extends the package's own object, so that everything that imports it has the same one. */
export const posixPath = Object.assign(
  path,
  Object.fromEntries(
    Object.entries(ways).map(([name, way]) => [
      name,
      typeof way === 'function' && name !== 'toNamespacedPath' ? coded(way) : way,
    ]),
  ),
);
