// Names of classes and functions as Node shows them: the bundler renames those that are called alike in two files.

/** `Buffer3`, `_Blob`: the name with what the bundler adds. */
const isRenamed = (name: string, exported: string): boolean =>
  name.startsWith('_') || /\d$/.test(name) ? name.replace(/^_/, '').replace(/\d+$/, '') === exported : false;

/** Gives each function the name that it is exported by. */
export function nameAsExported(exported: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(exported))) {
    if (typeof value === 'function' && isRenamed((value as { name: string }).name, name))
      Object.defineProperty(value, 'name', { value: name, configurable: true });
  }
}
