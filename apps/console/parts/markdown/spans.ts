// Parses the Markdown of prop descriptions into spans: code, emphasis and links; everything else is text.

export type Span =
  | { readonly kind: 'text' | 'code' | 'strong' | 'em'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Longer texts are not descriptions. */
const unitsMax = 20_000;

/** The text between two marks never contains the mark, so that a text of only marks is parsed in linear time. */
const mark =
  /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\][]+)\]\((https?:\/\/[^\s()]+)\)|(?<!\w)_([^_\n]+)_(?!\w)|(?<!\*)\*([^*\s][^*\n]*)\*|(https?:\/\/[^\s()<>]+[^\s()<>.,;:!?'"])/g;

/** Only http and https addresses become links. */
export function spansOf(text: string): readonly Span[] {
  if (text.length > unitsMax) return [{ kind: 'text', text }];
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(mark)) {
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) });
    spans.push(spanOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) });
  return spans;
}

function spanOf([whole, code, strong, linked, href, underlined, starred, url]: RegExpMatchArray): Span {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (linked !== undefined && href !== undefined) return { kind: 'link', text: linked, href };
  if (url !== undefined) return { kind: 'link', text: url, href: url };
  return { kind: 'em', text: underlined ?? starred ?? whole };
}
