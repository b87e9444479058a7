// The form of a secret on the log: encrypted by AES-256-GCM with the workspace's data key.

/** `$sealed` is base64 of nonce (12 bytes), tag (16 bytes) and ciphertext of the JSON text, or of bytes. */
export interface Sealed {
  readonly $sealed: string;
}
