// Fetches the code of a component by its URL. It runs as a component, so that its request is guarded like all others.
import { isTooLarge } from '../../../domain/source/process/configure.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { Bundle } from '../../../packages/packages.ts';
import type { Invocation, InvocationOutcome } from '../../../sandbox/sandbox.ts';

/** The time limit for redirects and the whole response; shorter than a request to the API waits. */
const fetchMs = 20_000;
/** The characters of one emit, well within its limit. */
const partChars = 64 * 1024;

/** Emits the text in parts. Its errors are shown to whoever sent the URL, and name only the URL's host. */
export const fetcherCode = `module.exports = {
  name: 'Fetcher', version: '1',
  async run({ url }) {
    const response = await fetch(url, {
      headers: {
        accept: 'text/javascript, application/javascript, text/typescript, application/typescript, text/plain;q=0.9, */*;q=0.5',
      },
    });
    if (!response.ok) throw new Error('the answer has status ' + response.status);
    if (/^text\\/html/i.test(response.headers.get('content-type') ?? ''))
      throw new Error('the answer is a page (text/html): give the URL of the file itself');
    const parts = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader.read()) {
      parts.push(part.value);
      bytes += part.value.length;
      if (bytes <= ${sizes.codeBytes}) continue;
      await reader.cancel();
      throw new Error('the answer has more than ${sizes.codeBytes} bytes');
    }
    let text;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    } catch {
      throw new Error('the answer is no text in UTF-8');
    }
    if (text.includes('\\0')) throw new Error('the answer is no text');
    if (text.trim() === '') throw new Error('the answer is empty');
    for (let from = 0; from < text.length; ) {
      let to = Math.min(from + ${partChars}, text.length);
      if (to < text.length && text.charCodeAt(to - 1) >>> 10 === 0x36) to--;
      this.$emit({ text: text.slice(from, to) });
      from = to;
    }
  },
};`;

/** The source map is empty: positions in the fetcher's code are of no use to anybody. */
const fetcherBundle: Bundle = {
  js: fetcherCode,
  map: '{"version":3,"sources":[],"names":[],"mappings":""}',
};

export interface FetchRequest {
  /** The id of this fetch, which no source has. */
  readonly fetchId: string;
  readonly workspace: string;
  readonly url: string;
}

export const fetchInvocation = ({ fetchId, workspace, url }: FetchRequest): Invocation => ({
  sourceId: fetchId,
  revision: 1,
  workspace,
  what: 'run',
  runTimeoutMs: fetchMs,
  bundle: async () => fetcherBundle,
  event: { url },
  props: {},
  secrets: [url],
  db: () => ({}),
  onRespond: () => {},
});

/** The fetched code, or the error. */
export function fetchedCode(
  outcome: InvocationOutcome,
): { readonly code: string } | { readonly error: ComponentError } {
  if (outcome.end === 'timed_out') return fetchError(`there was no whole answer within ${fetchMs / 1000} s`);
  if (outcome.end !== 'finished') return fetchError(outcome.error?.message ?? 'the answer could not be read');
  const code = outcome.emits.map(({ event }) => String((event as JsonObject)['text'])).join('');
  return isTooLarge({ code }) ? fetchError('the answer is too large for one record, as JSON') : { code };
}

const fetchError = (message: string): { readonly error: ComponentError } => ({
  error: { name: 'FetchError', message },
});
