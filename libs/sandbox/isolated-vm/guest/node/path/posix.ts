// The path of POSIX from path-browserify, with what Node has since changed or added.
import path from 'path-browserify';

type Ways = Record<string, (...args: unknown[]) => unknown>;

/** A wrong argument is told by a code, too. */
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
  // An extension may be given without its dot.
  format: (parts) => {
    const { ext, base } = (parts ?? {}) as { readonly ext?: string; readonly base?: string };
    const isBare = !base && typeof ext === 'string' && ext !== '' && !ext.startsWith('.');
    return format(isBare ? { ...(parts as object), ext: `.${ext}` } : (parts as object));
  },
  toNamespacedPath: (name) => name,
};

/** The package's own object, so that all who import it have the same. */
export const posixPath = Object.assign(
  path,
  Object.fromEntries(
    Object.entries(ways).map(([name, way]) => [
      name,
      typeof way === 'function' && name !== 'toNamespacedPath' ? coded(way) : way,
    ]),
  ),
);
