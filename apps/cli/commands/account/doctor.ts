// `pd doctor`: checks for what keeps `pd` and the service from working together.
import type { Client } from '../../../../libs/client/index.ts';
import type { Connection } from '../../config/connection.ts';
import { formatDuration, formatRelativeTime } from '../../output/times.ts';
import { plainLine, plainText } from '../../output/plain-text.ts';
import type { AddCommand } from '../../session/command.ts';
import { explain, isApiError, isProxyWithoutAnswer } from '../../failures/explain.ts';
import { exitCodes } from '../../failures/failure.ts';
import type { Session } from '../../session/session.ts';
import { callerOf } from './caller.ts';

interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
}

/** Receivers reject signed deliveries that are five minutes off; a tenth of that is worth a warning. */
const skewMsMax = 30_000;

export const addDoctor: AddCommand = (program, runner) => {
  program
    .command('doctor')
    .summary('check the connection, the key, the clock and the service')
    .description(
      'Checks whether the service answers, its stages make progress, the key is valid and the clocks agree. Exits with 1 if a check fails.',
    )
    .action(runner.run(doctor));
};

async function doctor(session: Session): Promise<number> {
  const { out } = session;
  const checks = await allChecks(session);
  out.printResult(checks, () => checks.map((one) => formatCheck(session, one)).join('\n'));
  return checks.some(({ status }) => status === 'failed') ? exitCodes.failed : exitCodes.done;
}

async function allChecks(session: Session): Promise<readonly Check[]> {
  let connection: Connection;
  try {
    connection = await session.connection();
  } catch (error) {
    return [failedCheck('login', error)];
  }
  const login = okCheck(
    'login',
    `${connection.url}, ${session.environment.apiKey === undefined ? `profile "${session.profile}"` : 'key from PD_API_KEY'}`,
  );
  const client = await session.client(connection);
  const service = await serviceChecks(client, connection);
  // If the service does not answer, the other checks would only repeat that.
  if (service[0]?.status === 'failed' && service.length === 1) return [login, ...service];
  return [login, ...service, await keyCheck(client)];
}

async function serviceChecks(client: Client, { url }: Connection): Promise<readonly Check[]> {
  const requestedAtMs = Date.now();
  try {
    const { health, status: httpStatus, dateMs } = await client.health();
    const tookMs = Date.now() - requestedAtMs;
    if (typeof health?.status !== 'string')
      return [{ check: 'service', status: 'failed', message: foreignMessage(url, httpStatus) }];
    const stages = Object.entries(health.details ?? {});
    const stalled = stages.filter(([, { status }]) => status !== 'up');
    const alerts = (health.alerts ?? []).map(({ code, subject, message, since_ms }): Check => ({
      check: 'alert',
      status: 'warning',
      message: `${code} of ${plainLine(subject)}, ${formatRelativeTime(since_ms, Date.now())}: ${plainLine(message)}`,
    }));
    return [
      okCheck('service', `answers in ${formatDuration(tookMs)}`),
      stalled.length === 0
        ? okCheck('stages', `${stages.length === 0 ? 'all' : stages.map(([name]) => name).join(', ')} make progress`)
        : failedCheck('stages', stalled.map(([name, { message }]) => `${name}: ${message ?? 'stalled'}`).join('; ')),
      ...(dateMs === undefined ? [] : [clockCheck(dateMs - (requestedAtMs + tookMs / 2))]),
      ...alerts,
    ];
  } catch (error) {
    return [failedCheck('service', error)];
  }
}

const foreignMessage = (url: string, status: number): string =>
  isProxyWithoutAnswer({ status })
    ? `a proxy at ${url} gets no answer from it, and answers with status ${status}`
    : `what answers at ${url} is not Wellspring`;

/** `aheadMs`: how far the service's clock is ahead, known to the second. */
function clockCheck(aheadMs: number): Check {
  const offMs = Math.abs(aheadMs);
  if (offMs <= skewMsMax) return okCheck('clock', 'agrees with that of the service');
  const message = `${formatDuration(offMs)} ${aheadMs > 0 ? 'behind' : 'ahead of'} that of the service: receivers may refuse signatures as too old`;
  return { check: 'clock', status: 'warning', message };
}

async function keyCheck(client: Client): Promise<Check> {
  try {
    const user = await callerOf(client);
    return okCheck(
      'key',
      user === undefined ? 'valid, without the scope read' : `valid, of ${plainLine(user.username)}`,
    );
  } catch (error) {
    return failedCheck('key', error);
  }
}

const okCheck = (check: string, message: string): Check => ({ check, status: 'ok', message });

function failedCheck(check: string, error: unknown): Check {
  if (typeof error === 'string') return { check, status: 'failed', message: error };
  const { message, hint } = explain(error);
  const isUnanswered = isApiError(error) && error.status === null;
  return { check, status: 'failed', message: hint === undefined || isUnanswered ? message : `${message} ${hint}` };
}

function formatCheck({ out }: Session, { check, status, message }: Check): string {
  const { style } = out;
  const mark = { ok: style.good('ok     '), warning: style.warning('warning'), failed: style.bad('failed ') }[status];
  return `${mark}  ${style.strong(check)}: ${plainText(message)}`;
}
