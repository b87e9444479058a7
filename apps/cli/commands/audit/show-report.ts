// Formats a verifier's report: what is wrong, what the export covers, and how much was checked.
import type { Report } from '../../../../libs/verifier/index.ts';
import { plainLine } from '../../output/plain-text.ts';
import type { Style } from '../../output/style.ts';

export function showReport(report: Report, style: Style): string {
  const { findings, found, isWhole, trimmed } = report;
  const findingLines = groupLines(findings).map(
    ({ message, lines }) => `${style.bad('wrong')} ${plainLine(message)}${lines === '' ? '' : style.faint(lines)}`,
  );
  const more = found > findings.length ? [`and ${found - findings.length} more`] : [];
  const trimmedLines = trimmed.map(({ topic, partition, records }) =>
    plainLine(`${topic}/${partition}: the first ${records} records were trimmed by retention, as was signed`),
  );
  return [
    ...findingLines,
    ...more,
    ...trimmedLines,
    ...coverage(report),
    isWhole ? style.good(`whole: ${summary(report)}`) : `${found} wrong: ${summary(report)}`,
  ].join('\n');
}

/** The findings in their order. The same fault in consecutive lines is one entry with the first and last line. */
function groupLines(findings: Report['findings']): readonly { readonly message: string; readonly lines: string }[] {
  return findings.flatMap(({ message, line }, at) => {
    const isContinuedAt = (other: number, from: number): boolean =>
      line !== undefined && findings[other]?.message === message && findings[other].line === from;
    if (line === undefined) return [{ message, lines: '' }];
    if (isContinuedAt(at - 1, line - 1)) return [];
    let last = line;
    while (isContinuedAt(at + last - line + 1, last + 1)) last += 1;
    return [{ message, lines: last === line ? `, line ${line}` : `, lines ${line} to ${last}` }];
  });
}

/** The export's own header. It is not signed, so the auditor must compare it with what was requested, and when. */
function coverage({ workspace, from, to, at }: Report): readonly string[] {
  if (workspace === null || from === null || to === null || at === null) return [];
  return [`workspace ${plainLine(workspace)}, from ${isoOf(from)} to ${isoOf(to)}, exported at ${isoOf(at)}`];
}

/** A number outside the range of `Date` is shown as it is: the header can contain any. */
const isoOf = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms));

function summary({ records, unsigned, outside, checkpoints, partitions, kept }: Report): string {
  const parts = [
    `${records} events and ${outside} hashes of other records in ${partitions} partitions, ${checkpoints} checkpoints`,
  ];
  if (unsigned > 0) parts.push(`the newest ${unsigned} records are not signed yet`);
  if (kept.compared + kept.beyond > 0)
    parts.push(`${kept.compared} kept checkpoints were compared, ${kept.beyond} are beyond this export`);
  return parts.join('; ');
}
