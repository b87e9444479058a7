// Converts domain names to ASCII for whatwg-url: normalisation and punycode, without 250 KB of Unicode mapping tables.
import punycode from 'punycode/punycode.js';

/** Characters in pasted host names that UTS 46 drops: soft hyphen, zero-width, variation selectors. */
const ignored = /\u00ad|\u200b|\u2060|\ufeff|[\ufe00-\ufe0f]/g;

export function toASCII(domain: string): string | null {
  try {
    return punycode.toASCII(domain.replace(ignored, '').normalize('NFKC').toLowerCase().normalize('NFC'));
  } catch {
    return null;
  }
}

export function toUnicode(domain: string): { domain: string; error: boolean } {
  try {
    return { domain: punycode.toUnicode(domain), error: false };
  } catch {
    return { domain, error: true };
  }
}
