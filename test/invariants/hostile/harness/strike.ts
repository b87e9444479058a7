// Runs one case, and compares its answer, run records and events with the expected ones.
import type { Attack, RequestAttack } from '../cases/attack.ts';
import { attackComponent } from './component-attack.ts';
import { exchange } from './raw-http.ts';
import type { RawAnswer } from './raw-http.ts';
import type { AttackedService } from './service.ts';
import type { AttackOutcome } from './attack-outcome.ts';

/** A refusal takes milliseconds; a longer one has blocked something. */
const answerWithinMs = 20_000;
const shownMax = 160;

export async function attackService(service: AttackedService, attack: Attack): Promise<AttackOutcome> {
  try {
    return await (attack.kind === 'component' ? attackComponent(service, attack) : attackByRequest(service, attack));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const { exitReason: ending } = service.product;
    const summary = ending === undefined ? cause : `the service ended with ${ending}: ${cause}`;
    return { summary, broken: [`the case could not be tried: ${summary}`] };
  }
}

async function attackByRequest(service: AttackedService, attack: RequestAttack): Promise<AttackOutcome> {
  const { port } = service.product;
  const answer = await exchange(attack.request(service.target), { port, timeoutMs: answerWithinMs });
  return { summary: summaryOf(answer), broken: [...problemsOfAnswer(attack, answer)] };
}

function* problemsOfAnswer({ statuses, code, answer, never }: RequestAttack, actual: RawAnswer): Generator<string> {
  const expected = statuses.join(' or ');
  if (actual.status === 0 && !statuses.includes(0))
    yield `a status ${expected} was to come, and none came in ${Math.round(actual.tookMs)} ms`;
  else if (!statuses.includes(actual.status)) yield `a status ${expected} was to come: ${summaryOf(actual)}`;
  if (code !== undefined && !actual.text.includes(`"code":"${code}"`))
    yield `the refusal was to have the code ${code}: ${summaryOf(actual)}`;
  if (answer !== undefined && !answer.test(actual.text)) yield `the answer was to hold ${answer}: ${summaryOf(actual)}`;
  if (never !== undefined && never.test(actual.text)) yield `the answer was not to hold ${never}: ${summaryOf(actual)}`;
}

function summaryOf({ status, text }: RawAnswer): string {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4).replaceAll(/\s+/g, ' ');
  return `${status} ${body.slice(0, shownMax)}`;
}
