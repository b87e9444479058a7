// Restores the names of exported functions and classes, which the bundler renames if two files use the same name.

/** Whether `name` is the exported name with the bundler's addition, such as `Buffer3` or `_Blob`. */
const isRenamed = (name: string, exported: string): boolean =>
  name.startsWith('_') || /\d$/.test(name) ? name.replace(/^_/, '').replace(/\d+$/, '') === exported : false;

/** Names each function after the property that holds it. */
export function restoreExportedNames(exported: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(exported))) {
    if (typeof value === 'function' && isRenamed((value as { name: string }).name, name))
      Object.defineProperty(value, 'name', { value: name, configurable: true });
  }
}
