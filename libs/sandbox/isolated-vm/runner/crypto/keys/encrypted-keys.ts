// Estimates the cost of decrypting a private key, whose own text sets how often the password is hashed (up to 2^31).

/** Product of the key's numbers: iterations and key length, or scrypt's N, r and p. OpenSSL's: 65,536 and 131,072. */
const costMax = 64 * 1024 * 1024;
/** DER of such keys has six levels. */
const depthMax = 12;
const [integerTag, sequenceTag] = [0x02, 0x30];

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The index of the next element. */
  readonly end: number;
}

/** Undefined if it is cut off or not DER. */
function elementAt(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  // 0x80 is an indefinite length, which only BER has.
  if (first === 0x80 || lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return undefined;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const from = at + 2 + lengthBytes;
  return from + length > bytes.length
    ? undefined
    : { tag, content: bytes.subarray(from, from + length), end: from + length };
}

const numberOf = (content: Buffer): number =>
  content.length === 0 || content.length > 6 ? Infinity : Math.max(1, content.readUIntBE(0, content.length));

/** The product of all integers in sequences; infinite if it is not DER. */
function integerProduct(bytes: Buffer, depth = 0): number {
  if (depth > depthMax) return Infinity;
  let total = 1;
  let at = 0;
  for (let element = elementAt(bytes, at); element !== undefined; element = elementAt(bytes, at)) {
    if (element.tag === integerTag) total *= numberOf(element.content);
    else if (element.tag === sequenceTag) total *= integerProduct(element.content, depth + 1);
    at = element.end;
  }
  return at === bytes.length ? total : Infinity;
}

/**
 * An EncryptedPrivateKeyInfo (RFC 5958) begins with the algorithm, a sequence; every other kind of key begins with a
 * number. A key that is not DER might be BER, which is not read here, so it counts as too costly.
 */
function costOf(bytes: Buffer): number {
  const outer = elementAt(bytes, 0);
  const first = outer?.tag === sequenceTag ? elementAt(outer.content, 0) : undefined;
  if (first === undefined) return Infinity;
  return first.tag === sequenceTag ? integerProduct(first.content) : 1;
}

/** The only PEM label whose text sets the cost; with the others the password is hashed once. */
const encryptedBlock = /-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)/g;
const base64Text = /^[A-Za-z0-9+/=\s]+$/;

const costOfPem = (pem: string): number =>
  Math.max(
    1,
    ...[...pem.matchAll(encryptedBlock)].map(([, text = '']) =>
      base64Text.test(text) ? costOf(Buffer.from(text, 'base64')) : Infinity,
    ),
  );

/** Whether decrypting the key with its password would take longer than a component is allowed. */
export function isTooCostly(key: string | Buffer): boolean {
  const text = key.toString();
  return (text.includes('-----BEGIN') || typeof key === 'string' ? costOfPem(text) : costOf(key)) > costMax;
}
