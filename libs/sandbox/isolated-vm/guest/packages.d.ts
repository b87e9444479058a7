// Types of packages in the guest's bundle that have none, as far as they are used.
declare module 'buffer/index.js' {
  export const Buffer: typeof import('node:buffer').Buffer;
  export const kMaxLength: number;
  export const INSPECT_MAX_BYTES: number;
}
declare module 'whatwg-url' {
  export const URL: typeof import('node:url').URL;
  export const URLSearchParams: typeof import('node:url').URLSearchParams;
}
declare module 'node-inspect-extracted' {
  export const inspect: typeof import('node:util').inspect;
  export const format: typeof import('node:util').format;
  export const formatWithOptions: typeof import('node:util').formatWithOptions;
}
declare module 'readable-stream' {
  const stream: typeof import('node:stream');
  export = stream;
}
declare module '@jspm/core/nodelibs/util' {
  const util: typeof import('node:util');
  export default util;
}
declare module 'path-browserify' {
  const path: typeof import('node:path');
  export default path;
}
declare module 'events/events.js' {
  const EventEmitter: typeof import('node:events');
  export default EventEmitter;
}
declare module 'assert/build/assert.js' {
  const assert: typeof import('node:assert');
  export default assert;
}
declare module 'url/url.js' {
  export const parse: typeof import('node:url').parse;
  export const resolve: typeof import('node:url').resolve;
  export const format: (value: unknown) => string;
}
declare module 'string_decoder/lib/string_decoder.js' {
  export const StringDecoder: typeof import('node:string_decoder').StringDecoder;
}
declare module 'punycode/punycode.js' {
  const punycode: {
    toASCII(domain: string): string;
    toUnicode(domain: string): string;
    encode(text: string): string;
    decode(text: string): string;
    ucs2: { decode(text: string): number[]; encode(points: readonly number[]): string };
    version: string;
  };
  export default punycode;
}
declare module 'core-js/actual/structured-clone.js';
declare module 'core-js/actual/dom-exception/index.js';
