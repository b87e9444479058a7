// What a record keeps of an attempt beside its outcome: little of one that succeeds, everything of one that fails.

/** How it went on the network. Absent: not needed, since the connection was open before, or not known. */
export interface AttemptTrace {
  /** `address:port` that was dialled. */
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

/** Takes the place of the values that a webhook's owner has sealed. */
export const maskedHeader = '[secret]';

/** `fixed`: the owner's headers, whose values no record may have. */
export function maskedHeaders(sent: SentHeaders, fixed: SentHeaders): SentHeaders {
  const secret = new Set(Object.keys(fixed).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? maskedHeader : value]),
  );
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
