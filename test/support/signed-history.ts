// Checks history as an auditor does: exports it, and verifies the export with the public keys.
import type { Client } from '../../libs/client/index.ts';
import { verifyExport } from '../../libs/verifier/index.ts';
import type { Report } from '../../libs/verifier/index.ts';

/** Fails unless the export is whole and has a signed part. */
export async function expectVerifiedHistory({ signedHistory }: Client): Promise<Report> {
  const keys = (await signedHistory.keys()).map(({ public_key }) => public_key);
  const report = await verifyExport(await signedHistory.export({}), { keys });
  expect(report.findings).toEqual([]);
  expect(report.isWhole).toBe(true);
  expect(report.checkpoints).toBeGreaterThan(0);
  return report;
}
