// Verifies what the audit stage signed, without a server and with nothing but Node.
export type { Finding, FindingKind } from './export/findings.ts';
export { eachLine } from './export/file/byte-lines.ts';
export type { SignedLine } from './export/file/format.ts';
export type { Report } from './export/report.ts';
export { verifyExport } from './export/verify-export.ts';
export type { VerifyOptions } from './export/verify-export.ts';
export { readKeptCheckpoints, readKeys } from './kept-files.ts';
export { faultOfExtension, faultOfRecord } from './proofs.ts';
export type { ExtensionProof, RecordProof } from './proofs.ts';
