// Finds every occurrence of one text in another, overlapping ones too, in linear time (Knuth, Morris and Pratt).

/** Where each occurrence ends, exclusive, in ascending order. `sought` is not empty. */
export function* endsOf(sought: string, text: string): Generator<number> {
  const borders = bordersOf(sought);
  let matched = 0;
  for (let at = text.indexOf(sought); at >= 0 && at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && sought.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (sought.charCodeAt(matched) === code) matched++;
    if (matched < sought.length) continue;
    yield at + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each beginning of the text: how long its longest proper beginning is that is also its end. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}
