// Limits what npm's cache writes in one install, because compressed answers of registries are much larger on disk.
import { WriteStream } from './npm.ts';

/** Applies until the process ends. Calls `onExceeded` at each write beyond `bytesMax`, which writes nothing. */
export function guardWrites(bytesMax: number, onExceeded: () => void): void {
  const { prototype } = WriteStream;
  const { write } = prototype;
  let bytes = 0;
  prototype.write = function (chunk, ...rest): boolean {
    bytes += Buffer.byteLength(chunk);
    if (bytes <= bytesMax) return write.call(this, chunk, ...rest);
    onExceeded();
    return false;
  };
}
