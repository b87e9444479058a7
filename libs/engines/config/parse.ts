// Parses settings. Each parser throws an Error that says what to enter instead.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** AES-256. */
export const masterKeyBytes = 32;

/** 32 bytes from 64 hex digits or from base64. Throws an Error that says what is expected and never shows the text. */
export function parseMasterKey(text: string): Buffer {
  const expected =
    'give 32 bytes as 64 hex digits or 44 characters of base64, as `openssl rand -base64 32` prints them';
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const key = /^[0-9a-z+/_-]{43}=?$/i.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (key?.length !== masterKeyBytes) throw new Error(expected);
  return key;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error('give a port number from 1 to 65535');
  return port;
}

export function parseHost(text: string): string {
  const isName = text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) === 0 && !isName) throw new Error('give an address or a host name, without scheme, brackets or port');
  return text;
}

export function parseCidrs(text: string): readonly string[] {
  return text.split(',').map((item) => {
    const cidr = item.trim();
    const [address = '', prefix, ...rest] = cidr.split('/');
    const bits = isIP(address) === 4 ? 32 : 128;
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0) {
      throw new Error(`${JSON.stringify(cidr)} is no CIDR; give ranges such as 10.0.0.0/8, separated by commas`);
    }
    if (prefix === undefined)
      throw new Error(`${cidr} has no prefix length; for this one address give ${cidr}/${bits}`);
    if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new Error(`${cidr} has a wrong prefix length; give 0 to ${bits}`);
    }
    return cidr;
  });
}

export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!plain || /[?#\s]/.test(text)) {
    throw new Error('give an http or https URL without user, query or fragment, such as https://hooks.example.com');
  }
  return url.href.replace(/\/+$/, '');
}

/** Like `parsePublicUrl`; or, so that each endpoint has a host of its own, with `*` in place of its first part. */
export function parseEndpointUrl(text: string): string {
  const url = parsePublicUrl(text);
  if (!url.includes('*')) return url;
  if (!/^https?:\/\/\*\.[^*/.]+[^*/]*$/.test(url))
    throw new Error('write * only in place of the first part of the host, without a path: https://*.hooks.example.com');
  return url;
}

/**
 * The absolute path of a file of certificates. Node only warns if it cannot read the file, and then trusts none of
 * them.
 */
export function parseCertificates(text: string): string {
  const path = resolve(text);
  if (!/-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----/.test(readFileText(path)))
    throw new Error('give a PEM file, which holds at least one BEGIN CERTIFICATE');
  return path;
}

function readFileText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    throw new Error(`give a file that can be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** A token that is long enough not to be guessed, and valid in a header. */
export function parseToken(text: string): string {
  if (!/^[\x21-\x7e]{16,256}$/.test(text))
    throw new Error('give 16 to 256 letters, digits or signs, such as `openssl rand -hex 32` prints');
  return text;
}

/** A whole number within the bounds. */
export function parseCount(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= min && count <= max)) throw new Error(`give a whole number from ${min} to ${max}`);
    return count;
  };
}

/** A number of bytes, at least `min`. */
export function parseBytes(min: number): (text: string) => number {
  return (text) => {
    const bytes = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(bytes >= min)) throw new Error(`give a whole number of bytes, ${min} at least`);
    return bytes;
  };
}

export function parseFlag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error('give true or false');
  return text === 'true';
}

/** One of the given words. */
export function parseChoice<Choice extends string>(...choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((each) => each === text);
    if (choice === undefined) throw new Error(`give ${choices.join(' or ')}`);
    return choice;
  };
}
