// Returns random bytes for ids and nonces, read from the system page by page: a read costs more than the rest of an id.
import { randomBytes } from 'node:crypto';

const pageBytes = 4096;
/** Keys are longer and are read separately: no page in memory holds a key before it is made. */
const smallBytesMax = 16;

let page = Buffer.alloc(0);
let offset = 0;

/** As unpredictable as the system's; no two calls share a byte. */
export function pagedRandomBytes(count: number): Buffer {
  if (count > smallBytesMax) return randomBytes(count);
  if (offset + count > page.length) [page, offset] = [randomBytes(pageBytes), 0];
  const drawn = Buffer.from(page.subarray(offset, offset + count));
  page.fill(0, offset, offset + count);
  offset += count;
  return drawn;
}
