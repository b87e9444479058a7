// Decodes the content of a `data:` URL (RFC 2397).

export interface DataContent {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Undefined if it is no `data:` URL. */
export function dataOf(url: string): DataContent | undefined {
  const [, head, text] = /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (head === undefined || text === undefined) return undefined;
  const isBase64 = /;\s*base64\s*$/i.test(head);
  const type = head.replace(/;\s*base64\s*$/i, '');
  const decoded = decodeURIComponent(text);
  return {
    bytes: Buffer.from(decoded, isBase64 ? 'base64' : 'utf8'),
    contentType: type.startsWith(';') || type === '' ? `text/plain${type || ';charset=US-ASCII'}` : type,
  };
}
