// Lets the audit stage sign everything on a test bed's log.
import { pino } from 'pino';
import { AuditStage } from '../../../../audit/audit.stage.ts';
import { StageLoop } from '../../../../loop/stage-loop.ts';
import type { Answer, TestBed } from '../../../test-bed.fake.ts';

/** Resolves when something has been signed since the call. */
export async function signHistory({ log, settings }: TestBed): Promise<void> {
  const { masterKey, ambient, alerts, onFatal } = settings;
  const loop = new StageLoop(new AuditStage({ masterKey, ambient, checkpointMs: 1 }), log, pino({ level: 'silent' }), {
    alerts: alerts.by('audit'),
  });
  const before = log.records('checkpoints').length;
  loop.start(onFatal);
  for (const until = Date.now() + 30_000; log.records('checkpoints').length === before;) {
    if (Date.now() > until) throw new Error('nothing was signed');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await loop.stop(0);
}

/** Runs audit while a request changes the key. */
export async function changingKey(bed: TestBed, request: () => Promise<Answer>): Promise<Answer> {
  const asked = (): number => bed.log.records('commands').filter(({ type }) => type === 'ChangeAuditKey').length;
  const before = asked();
  const answer = request();
  for (const until = Date.now() + 30_000; asked() === before;) {
    if (Date.now() > until) throw new Error('nothing was asked');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await signHistory(bed);
  return answer;
}
