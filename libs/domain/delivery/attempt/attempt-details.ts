// The details of an attempt that its record keeps besides the outcome, with secrets masked and sizes bounded.
import { headerSecrets, mayBeSecret } from '../../secrets/header-secrets.ts';
import { maskOnce } from '../../secrets/once/mask-once.ts';
import { secretPlaceholder } from '../../secrets/secret-placeholder.ts';
import { sizes } from '../../sizes.ts';

/** Network timings of an attempt. A time is absent if the step was not needed (open connection) or is not known. */
export interface AttemptTrace {
  /** The `address:port` connected to; absent if a name resolved to a private address. */
  readonly address?: string;
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly tlsMs?: number;
  readonly firstByteMs?: number;
  /** Absent: it equals `durationMs`. */
  readonly totalMs?: number;
}

/** Values by header name. */
export type SentHeaders = Readonly<Record<string, string>>;
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Masks the values of the headers in `ownerHeaders`, which the webhook's owner set: no record may hold them. */
export function maskHeaders(sent: SentHeaders, ownerHeaders: SentHeaders): SentHeaders {
  const secret = new Set(Object.keys(ownerHeaders).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? secretPlaceholder : value]),
  );
}

/** A receiver's response, as it is kept. */
interface ReceivedAnswer {
  /** The beginning of the body. */
  readonly answer: string;
  readonly headers: AnswerHeaders;
}

/** Masks secrets in the response: receivers echo requests, above all on error pages. `ownerHeaders` as in `maskHeaders`. */
export function maskAnswer<Outcome extends ReceivedAnswer>(received: Outcome, ownerHeaders: SentHeaders): Outcome {
  const secrets = Object.entries(ownerHeaders).flatMap(([name, value]) =>
    mayBeSecret(name) ? headerSecrets(name.toLowerCase(), value) : [],
  );
  if (secrets.length === 0) return received;
  const { answer } = received;
  const fields = Object.entries(received.headers);
  const texts = fields.flatMap(([, value]) => value);
  const isCut = Buffer.byteLength(answer) >= sizes.answerStoredBytes;
  const shown = [...maskOnce([...texts, answer], secrets, isCut)];
  const headers = fields.map(([name, value]): [string, string | readonly string[]] =>
    typeof value === 'string' ? [name, shown.shift() ?? ''] : [name, shown.splice(0, value.length)],
  );
  return { ...received, answer: shown[0] ?? '', headers: Object.fromEntries(headers) };
}

/** The headers, in order, while their JSON takes at most `bytesMax` bytes. */
export function boundedHeaders<Value extends AnswerHeaders[string]>(
  headers: Readonly<Record<string, Value>>,
  bytesMax: number,
): Readonly<Record<string, Value>> {
  let bytes = 2;
  const kept = Object.entries(headers).filter((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes <= bytesMax;
  });
  return Object.fromEntries(kept);
}
