// Lets the audit stage sign everything on a test bed's log.
import { pino } from 'pino';
import { AuditStage } from '../../../../audit/audit.stage.ts';
import { StageLoop } from '../../../../loop/stage-loop.ts';
import type { Answer, TestBed } from '../../../test-bed.fake.ts';

/** Resolves when something has been signed since the call. */
export async function signHistory({ log, settings }: TestBed): Promise<void> {
  const { masterKey, ambient, alerts, onFatal } = settings;
  const loop = new StageLoop(new AuditStage({ masterKey, ambient, checkpointMs: 1 }), log, pino({ level: 'silent' }), {
    alerts: alerts.forStage('audit'),
  });
  const before = log.records('checkpoints').length;
  loop.start(onFatal);
  for (const deadline = Date.now() + 30_000; log.records('checkpoints').length === before;) {
    if (Date.now() > deadline) throw new Error('nothing was signed');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await loop.stop(0);
}

/** Runs audit while a request changes the key. */
export async function signDuringKeyChange(bed: TestBed, request: () => Promise<Answer>): Promise<Answer> {
  const commandCount = (): number => bed.log.records('commands').filter(({ type }) => type === 'ChangeAuditKey').length;
  const before = commandCount();
  const answer = request();
  for (const deadline = Date.now() + 30_000; commandCount() === before;) {
    if (Date.now() > deadline) throw new Error('nothing was asked');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await signHistory(bed);
  return answer;
}
