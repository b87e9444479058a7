// Reads X.509 certificates of components: returns all fields of one at once, and answers its methods later.
import { X509Certificate } from 'node:crypto';
import { within } from '../costs.ts';
import { keyFor, told } from './asymmetric-keys.ts';

/** Much larger than usual certificates; those with thousands of names have this size. */
const bytesMax = 64 * 1024;

function read(bytes: ArrayBuffer): X509Certificate {
  within('The bytes of the certificate', bytes.byteLength, bytesMax);
  return new X509Certificate(Buffer.from(bytes));
}

export function certificate(bytes: ArrayBuffer): string {
  const made = read(bytes);
  const { subject, issuer, subjectAltName, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca } = made;
  const { fingerprint, fingerprint256, fingerprint512, signatureAlgorithm, signatureAlgorithmOid } = made;
  const says = { subject, issuer, subjectAltName, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca };
  const proves = { fingerprint, fingerprint256, fingerprint512, signatureAlgorithm, signatureAlgorithmOid };
  const dates = [made.validFromDate.getTime(), made.validToDate.getTime()];
  const legacy = JSON.stringify(made.toLegacyObject());
  const raw = made.raw.toString('base64');
  return JSON.stringify({
    ...says,
    ...proves,
    dates,
    legacy,
    raw,
    pem: made.toString(),
    publicKey: told(made.publicKey),
  });
}

/** The result of a method of X509Certificate; undefined becomes null. */
export function certificateAsked(bytes: ArrayBuffer, what: string, about: string, options: string): unknown {
  const made = read(bytes);
  const how = JSON.parse(options) as object;
  switch (what) {
    case 'checkHost':
      return made.checkHost(about, how) ?? null;
    case 'checkEmail':
      return made.checkEmail(about, how) ?? null;
    case 'checkIP':
      return made.checkIP(about) ?? null;
    case 'checkIssued':
      return made.checkIssued(read(new Uint8Array(Buffer.from(about, 'base64')).buffer));
    case 'checkPrivateKey':
      return made.checkPrivateKey((keyFor('private', about) as { key: never }).key);
    default:
      return made.verify((keyFor('public', about) as { key: never }).key);
  }
}
