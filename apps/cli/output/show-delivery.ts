// Formats deliveries and attempts.
import type { Attempt, Delivery } from '../../../libs/client/index.ts';
import { fields } from './layout/fields.ts';
import type { Column } from './layout/table.ts';
import { plainLine, plainText } from './plain-text.ts';
import { paintState } from './show-source.ts';
import type { Style } from './style.ts';
import { formatDuration, formatLocalTime } from './times.ts';

export const deliveryStates: readonly Delivery['state'][] = ['delivered', 'failing', 'parked', 'discarded'];

export const deliveryColumns = (style: Style): readonly Column<Delivery>[] => [
  { title: 'ID', value: ({ id }) => id, isNeverCut: true },
  { title: 'EVENT', value: ({ event_id }) => event_id, isNeverCut: true },
  { title: 'STATE', value: ({ state }) => state, isNeverCut: true, paint: (text) => paintState(text, style) },
  { title: 'ATTEMPTS', value: ({ attempt_count }) => attempt_count, isOptional: true },
  { title: 'LAST', value: ({ updated_at_ms }) => formatLocalTime(updated_at_ms), isNeverCut: true },
  {
    title: 'TOOK',
    value: ({ attempts }) => (attempts.at(-1) === undefined ? null : formatDuration(attempts.at(-1)?.duration_ms ?? 0)),
    isOptional: true,
  },
  { title: 'ANSWER', value: lastAnswerOf },
];

/** The answer to the last attempt. */
function lastAnswerOf({ attempts, parked_reason }: Delivery): string {
  const last = attempts.at(-1);
  const lastAnswer = last === undefined ? '-' : attemptAnswer(last);
  return parked_reason === null ? lastAnswer : `${lastAnswer} (${parked_reason})`;
}

const attemptAnswer = ({ message, status, failure }: Attempt): string =>
  plainLine(message ?? String(status ?? failure ?? '-'));

/** With the attempts, the oldest first. */
export function showDelivery(delivery: Delivery, style: Style): string {
  const { id, state, parked_reason, webhook_id, emitter_id, event_id, subscription_id } = delivery;
  const head = fields(
    [
      ['id', id],
      [
        'state',
        state + (parked_reason === null ? '' : ` (${parked_reason})`),
        (text) => text.replace(state, (stateText) => paintState(stateText, style)),
      ],
      ['event', `${event_id} of ${emitter_id}`],
      ['webhook', `${webhook_id}, by ${subscription_id}`],
      ['next attempt', delivery.next_attempt_at_ms === null ? null : formatLocalTime(delivery.next_attempt_at_ms)],
    ],
    style,
  );
  return [head, ...delivery.attempts.map((attempt) => showAttempt(attempt, style))].join('\n\n');
}

export function showAttempt(attempt: Attempt, style: Style): string {
  const { outcome, started_at_ms, duration_ms, address, answer, request_headers, answer_headers } = attempt;
  const head = [
    style.faint(`attempt ${attempt.attempt}`),
    formatLocalTime(started_at_ms),
    paintState(outcome, style),
    attemptAnswer(attempt),
    `in ${formatDuration(duration_ms)}`,
    ...(address === null ? [] : [style.faint(plainLine(address))]),
  ];
  const parts: readonly (readonly [string, number | null])[] = [
    ['dns', attempt.dns_ms],
    ['connect', attempt.connect_ms],
    ['tls', attempt.tls_ms],
    ['first byte', attempt.first_byte_ms],
  ];
  const timing = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${formatDuration(ms)}`]));
  return [
    head.join('  '),
    ...(timing.length === 0 ? [] : [`  ${timing.join(', ')}`]),
    ...formatHeaders('sent', request_headers, style),
    ...formatHeaders('answered', answer_headers, style),
    ...(answer === null || answer === ''
      ? []
      : [`  ${style.faint('answer:')} ${plainText(answer).trimEnd().replaceAll('\n', '\n    ')}`]),
  ].join('\n');
}

const formatHeaders = (
  what: string,
  headers: Attempt['request_headers'] | Attempt['answer_headers'],
  style: Style,
): readonly string[] =>
  Object.entries(headers ?? {}).map(
    ([name, value]) => `  ${style.faint(`${what} ${plainLine(name)}:`)} ${plainLine(String(value))}`,
  );
