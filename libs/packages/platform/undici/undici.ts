// The undici module for components: every export by its name, and all of them as the default.
import * as undici from './exports.ts';

export * from './exports.ts';
export default undici;
