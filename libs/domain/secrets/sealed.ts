// What a secret looks like on the log: AES-256-GCM under the workspace's data key.

/** `$sealed` is base64 of nonce (12 bytes), tag (16 bytes) and ciphertext of the JSON text, or of bytes. */
export interface Sealed {
  readonly $sealed: string;
}
