// Checks whether node_modules matches package-lock.json, by the record that npm writes there when it has finished.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Optional packages of other platforms may be missing. */
export function isInstalled(rootDir) {
  const wanted = packagesOf(join(rootDir, 'package-lock.json'));
  const found = packagesOf(join(rootDir, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const has = found[path];
    if (path === '') return true;
    if (has === undefined) return optional === true;
    return has.version === version && has.integrity === integrity;
  });
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
