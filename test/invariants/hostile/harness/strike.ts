// Runs one case, and compares its answer, run records and events with the expected ones.
import type { Attack, RequestAttack } from '../cases/attack.ts';
import { deployAndAsk } from './component-strike.ts';
import { exchange } from './raw-http.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Service } from './service.ts';
import type { Struck } from './struck.ts';

/** A refusal takes milliseconds; a longer one has blocked something. */
const answerWithinMs = 20_000;
const shownMax = 160;

export async function strike(service: Service, attack: Attack): Promise<Struck> {
  try {
    return await (attack.kind === 'component' ? deployAndAsk(service, attack) : send(service, attack));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const { ending } = service.product;
    const said = ending === undefined ? cause : `the service ended with ${ending}: ${cause}`;
    return { said, broken: [`the case could not be tried: ${said}`] };
  }
}

async function send(service: Service, attack: RequestAttack): Promise<Struck> {
  const { port } = service.product;
  const answer = await exchange(attack.request(service.target), { port, withinMs: answerWithinMs });
  return { said: shown(answer), broken: [...wrongAnswer(attack, answer)] };
}

function* wrongAnswer({ statuses, code, answer, never }: RequestAttack, got: RawAnswer): Generator<string> {
  const wanted = statuses.join(' or ');
  if (got.status === 0 && !statuses.includes(0))
    yield `a status ${wanted} was to come, and none came in ${Math.round(got.tookMs)} ms`;
  else if (!statuses.includes(got.status)) yield `a status ${wanted} was to come: ${shown(got)}`;
  if (code !== undefined && !got.text.includes(`"code":"${code}"`))
    yield `the refusal was to have the code ${code}: ${shown(got)}`;
  if (answer !== undefined && !answer.test(got.text)) yield `the answer was to hold ${answer}: ${shown(got)}`;
  if (never !== undefined && never.test(got.text)) yield `the answer was not to hold ${never}: ${shown(got)}`;
}

function shown({ status, text }: RawAnswer): string {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4).replaceAll(/\s+/g, ' ');
  return `${status} ${body.slice(0, shownMax)}`;
}
