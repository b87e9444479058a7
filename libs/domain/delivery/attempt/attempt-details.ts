// What a record keeps of an attempt beside its outcome: little of one that succeeds, everything of one that fails.
import { headerSecrets, mayBeSecret } from '../../secrets/header-secrets.ts';
import { maskOnce } from '../../secrets/once/mask-once.ts';
import { secretShown } from '../../secrets/secret-shown.ts';
import { sizes } from '../../sizes.ts';

/** How it went on the network. Absent: not needed, since the connection was open before, or not known. */
export interface AttemptTrace {
  /** `address:port` that was dialled; absent where a name led to a private address. */
  readonly address?: string;
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly tlsMs?: number;
  readonly firstByteMs?: number;
  /** Absent: as `durationMs`. */
  readonly totalMs?: number;
}

/** By name. */
export type SentHeaders = Readonly<Record<string, string>>;
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** `fixed`: the owner's headers, whose values no record may have. */
export function maskedHeaders(sent: SentHeaders, fixed: SentHeaders): SentHeaders {
  const secret = new Set(Object.keys(fixed).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? secretShown : value]),
  );
}

/** What a receiver has answered, as it is kept. */
interface Answered {
  /** The beginning of the body. */
  readonly answer: string;
  readonly headers: AnswerHeaders;
}

/** Receivers repeat what they were sent, above all in pages about errors. `fixed` as in `maskedHeaders`. */
export function maskedAnswer<Outcome extends Answered>(answered: Outcome, fixed: SentHeaders): Outcome {
  const secrets = Object.entries(fixed).flatMap(([name, value]) =>
    mayBeSecret(name) ? headerSecrets(name.toLowerCase(), value) : [],
  );
  if (secrets.length === 0) return answered;
  const { answer } = answered;
  const fields = Object.entries(answered.headers);
  const texts = fields.flatMap(([, value]) => value);
  const isCut = Buffer.byteLength(answer) >= sizes.answerKeptBytes;
  const shown = [...maskOnce([...texts, answer], secrets, isCut)];
  const headers = fields.map(([name, value]): [string, string | readonly string[]] =>
    typeof value === 'string' ? [name, shown.shift() ?? ''] : [name, shown.splice(0, value.length)],
  );
  return { ...answered, answer: shown[0] ?? '', headers: Object.fromEntries(headers) };
}

/** The first of them that have `bytesMax` as JSON. */
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
