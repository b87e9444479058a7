// Reads X.509 certificates of components: returns all fields of one at once, and answers its methods later.
import { X509Certificate } from 'node:crypto';
import { checkRange } from '../costs.ts';
import { keyFor, describeKey } from './asymmetric-keys.ts';

/** Much larger than usual certificates; those with thousands of names have this size. */
const bytesMax = 64 * 1024;

function parseCertificate(bytes: ArrayBuffer): X509Certificate {
  checkRange('The bytes of the certificate', bytes.byteLength, bytesMax);
  return new X509Certificate(Buffer.from(bytes));
}

export function certificate(bytes: ArrayBuffer): string {
  const x509 = parseCertificate(bytes);
  const { subject, issuer, subjectAltName, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca } = x509;
  const { fingerprint, fingerprint256, fingerprint512, signatureAlgorithm, signatureAlgorithmOid } = x509;
  const statedFields = { subject, issuer, subjectAltName, infoAccess, validFrom, validTo, serialNumber, keyUsage, ca };
  const proofFields = { fingerprint, fingerprint256, fingerprint512, signatureAlgorithm, signatureAlgorithmOid };
  const dates = [x509.validFromDate.getTime(), x509.validToDate.getTime()];
  const legacy = JSON.stringify(x509.toLegacyObject());
  const raw = x509.raw.toString('base64');
  return JSON.stringify({
    ...statedFields,
    ...proofFields,
    dates,
    legacy,
    raw,
    pem: x509.toString(),
    publicKey: describeKey(x509.publicKey),
  });
}

/** The result of a method of X509Certificate; undefined becomes null. */
export function queryCertificate(bytes: ArrayBuffer, method: string, argument: string, options: string): unknown {
  const x509 = parseCertificate(bytes);
  const checkOptions = JSON.parse(options) as object;
  switch (method) {
    case 'checkHost':
      return x509.checkHost(argument, checkOptions) ?? null;
    case 'checkEmail':
      return x509.checkEmail(argument, checkOptions) ?? null;
    case 'checkIP':
      return x509.checkIP(argument) ?? null;
    case 'checkIssued':
      return x509.checkIssued(parseCertificate(new Uint8Array(Buffer.from(argument, 'base64')).buffer));
    case 'checkPrivateKey':
      return x509.checkPrivateKey((keyFor('private', argument) as { key: never }).key);
    default:
      return x509.verify((keyFor('public', argument) as { key: never }).key);
  }
}
