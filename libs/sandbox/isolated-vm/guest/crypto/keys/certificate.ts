// X509Certificate: the host parses it once; methods with an argument send its bytes to the host again.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { bare, viewOf } from '../bytes.ts';
import { KeyObject, keyOf, keyText } from './key-object.ts';
import type { ToldKey } from './key-object.ts';

interface Told {
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
  readonly publicKey: ToldKey;
}

const revived = (_name: string, value: unknown): unknown => {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]) : value;
};

const needsKey = (key: unknown, type: KeyObject['type'], name: string): string => {
  if (!(key instanceof KeyObject))
    throw Object.assign(new TypeError(`The "${name}" argument must be an instance of KeyObject`), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  if (key.type !== type)
    throw Object.assign(new TypeError(`The argument '${name}' is invalid`), { code: 'ERR_INVALID_ARG_VALUE' });
  return keyText(key);
};

export class X509Certificate {
  readonly #told: Told;
  readonly #raw: Buffer;

  constructor(certificate: unknown) {
    const bytes = bare(viewOf(certificate, undefined, 'buffer'));
    this.#told = JSON.parse(String(ask('certificate', bytes))) as Told;
    this.#raw = Buffer.from(this.#told.raw, 'base64');
  }

  get subject(): string {
    return this.#told.subject;
  }
  get issuer(): string {
    return this.#told.issuer;
  }
  get subjectAltName(): string | undefined {
    return this.#told.subjectAltName;
  }
  get infoAccess(): string | undefined {
    return this.#told.infoAccess;
  }
  get validFrom(): string {
    return this.#told.validFrom;
  }
  get validTo(): string {
    return this.#told.validTo;
  }
  get validFromDate(): Date {
    return new Date(this.#told.dates[0]);
  }
  get validToDate(): Date {
    return new Date(this.#told.dates[1]);
  }
  get serialNumber(): string {
    return this.#told.serialNumber;
  }
  get keyUsage(): readonly string[] | undefined {
    return this.#told.keyUsage;
  }
  get ca(): boolean {
    return this.#told.ca;
  }
  get fingerprint(): string {
    return this.#told.fingerprint;
  }
  get fingerprint256(): string {
    return this.#told.fingerprint256;
  }
  get fingerprint512(): string {
    return this.#told.fingerprint512;
  }
  get signatureAlgorithm(): string | undefined {
    return this.#told.signatureAlgorithm;
  }
  get signatureAlgorithmOid(): string | undefined {
    return this.#told.signatureAlgorithmOid;
  }
  get issuerCertificate(): undefined {
    return undefined;
  }
  get raw(): Buffer {
    return Buffer.from(this.#raw);
  }
  get publicKey(): KeyObject {
    return keyOf('public', this.#told.publicKey);
  }

  #asked(what: string, about: string, options: object = {}): unknown {
    return ask('certificateAsked', bare(this.#raw), what, about, JSON.stringify(options));
  }

  checkHost(name: unknown, options?: object): string | undefined {
    return (this.#asked('checkHost', String(name), options) as string | null) ?? undefined;
  }
  checkEmail(email: unknown, options?: object): string | undefined {
    return (this.#asked('checkEmail', String(email), options) as string | null) ?? undefined;
  }
  checkIP(ip: unknown): string | undefined {
    return (this.#asked('checkIP', String(ip)) as string | null) ?? undefined;
  }
  checkIssued(other: unknown): boolean {
    if (!(other instanceof X509Certificate)) throw new TypeError('The "otherCert" argument must be an X509Certificate');
    return this.#asked('checkIssued', other.raw.toString('base64')) === true;
  }
  checkPrivateKey(key: unknown): boolean {
    return this.#asked('checkPrivateKey', needsKey(key, 'private', 'pkey')) === true;
  }
  verify(key: unknown): boolean {
    return this.#asked('verify', needsKey(key, 'public', 'pkey')) === true;
  }

  toString(): string {
    return this.#told.pem;
  }
  toJSON(): string {
    return this.#told.pem;
  }
  toLegacyObject(): object {
    return JSON.parse(this.#told.legacy, revived) as object;
  }
}
