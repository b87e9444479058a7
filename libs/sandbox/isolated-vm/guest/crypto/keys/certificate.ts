// X509Certificate: the host parses it once; methods with an argument send its bytes to the host again.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { toArrayBuffer, viewOf } from '../bytes.ts';
import { KeyObject, keyOf, keyText } from './key-object.ts';
import type { KeyDescription } from './key-object.ts';

interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
  readonly subjectAltName?: string;
  readonly infoAccess?: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly serialNumber: string;
  readonly keyUsage?: readonly string[];
  readonly ca: boolean;
  readonly fingerprint: string;
  readonly fingerprint256: string;
  readonly fingerprint512: string;
  readonly signatureAlgorithm?: string;
  readonly signatureAlgorithmOid?: string;
  readonly dates: readonly [number, number];
  readonly legacy: string;
  readonly raw: string;
  readonly pem: string;
  readonly publicKey: KeyDescription;
}

const reviveBuffer = (_name: string, value: unknown): unknown => {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]) : value;
};

const requireKeyText = (key: unknown, type: KeyObject['type'], name: string): string => {
  if (!(key instanceof KeyObject))
    throw Object.assign(new TypeError(`The "${name}" argument must be an instance of KeyObject`), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  if (key.type !== type)
    throw Object.assign(new TypeError(`The argument '${name}' is invalid`), { code: 'ERR_INVALID_ARG_VALUE' });
  return keyText(key);
};

export class X509Certificate {
  readonly #fields: CertificateFields;
  readonly #raw: Buffer;

  constructor(certificate: unknown) {
    const bytes = toArrayBuffer(viewOf(certificate, undefined, 'buffer'));
    this.#fields = JSON.parse(String(ask('certificate', bytes))) as CertificateFields;
    this.#raw = Buffer.from(this.#fields.raw, 'base64');
  }

  get subject(): string {
    return this.#fields.subject;
  }
  get issuer(): string {
    return this.#fields.issuer;
  }
  get subjectAltName(): string | undefined {
    return this.#fields.subjectAltName;
  }
  get infoAccess(): string | undefined {
    return this.#fields.infoAccess;
  }
  get validFrom(): string {
    return this.#fields.validFrom;
  }
  get validTo(): string {
    return this.#fields.validTo;
  }
  get validFromDate(): Date {
    return new Date(this.#fields.dates[0]);
  }
  get validToDate(): Date {
    return new Date(this.#fields.dates[1]);
  }
  get serialNumber(): string {
    return this.#fields.serialNumber;
  }
  get keyUsage(): readonly string[] | undefined {
    return this.#fields.keyUsage;
  }
  get ca(): boolean {
    return this.#fields.ca;
  }
  get fingerprint(): string {
    return this.#fields.fingerprint;
  }
  get fingerprint256(): string {
    return this.#fields.fingerprint256;
  }
  get fingerprint512(): string {
    return this.#fields.fingerprint512;
  }
  get signatureAlgorithm(): string | undefined {
    return this.#fields.signatureAlgorithm;
  }
  get signatureAlgorithmOid(): string | undefined {
    return this.#fields.signatureAlgorithmOid;
  }
  get issuerCertificate(): undefined {
    return undefined;
  }
  get raw(): Buffer {
    return Buffer.from(this.#raw);
  }
  get publicKey(): KeyObject {
    return keyOf('public', this.#fields.publicKey);
  }

  #query(what: string, about: string, options: object = {}): unknown {
    return ask('certificateAsked', toArrayBuffer(this.#raw), what, about, JSON.stringify(options));
  }

  checkHost(name: unknown, options?: object): string | undefined {
    return (this.#query('checkHost', String(name), options) as string | null) ?? undefined;
  }
  checkEmail(email: unknown, options?: object): string | undefined {
    return (this.#query('checkEmail', String(email), options) as string | null) ?? undefined;
  }
  checkIP(ip: unknown): string | undefined {
    return (this.#query('checkIP', String(ip)) as string | null) ?? undefined;
  }
  checkIssued(other: unknown): boolean {
    if (!(other instanceof X509Certificate)) throw new TypeError('The "otherCert" argument must be an X509Certificate');
    return this.#query('checkIssued', other.raw.toString('base64')) === true;
  }
  checkPrivateKey(key: unknown): boolean {
    return this.#query('checkPrivateKey', requireKeyText(key, 'private', 'pkey')) === true;
  }
  verify(key: unknown): boolean {
    return this.#query('verify', requireKeyText(key, 'public', 'pkey')) === true;
  }

  toString(): string {
    return this.#fields.pem;
  }
  toJSON(): string {
    return this.#fields.pem;
  }
  toLegacyObject(): object {
    return JSON.parse(this.#fields.legacy, reviveBuffer) as object;
  }
}
