// Reads the escapes of JSON for a UTF-16 unit: `\uXXXX`.

const digits = 4;

/** The value of the four hexadecimal digits at `at`; undefined: there are not four. */
export function hexOf(text: string, at: number): number | undefined {
  let value = 0;
  for (let digit = at; digit < at + digits; digit++) {
    const one = hexDigit(text.charCodeAt(digit));
    if (one === undefined) return undefined;
    value = value * 16 + one;
  }
  return value;
}

function hexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

export const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
export const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
