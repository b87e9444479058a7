// The UTF-8 length of text without encoding it, because limits are in bytes and strings are not.
import { stringCharCodeAt } from './primordials.ts';

export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = stringCharCodeAt(text, at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A lone surrogate becomes the three bytes of U+FFFD; a pair is four for its two units: the second adds nothing.
    if (unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length) {
      const next = stringCharCodeAt(text, at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) at++;
    }
  }
  return length;
}
