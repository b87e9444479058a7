// Shows the attempts of a delivery, the last first: request and response side by side, and the time of each phase.
import type { ReactNode } from 'react';
import type { Attempt, Delivery } from '../api/records.ts';
import { formatDuration, formatExactTime } from '../parts/format.ts';
import { Tag } from '../parts/tag.tsx';
import { phasesOf } from './phases.ts';

export function Attempts({ delivery: { attempts } }: { readonly delivery: Pick<Delivery, 'attempts'> }): ReactNode {
  const longestMs = Math.max(1, ...attempts.map(({ total_ms, duration_ms }) => Math.max(total_ms, duration_ms)));
  return (
    <section>
      <h2>Attempts</h2>
      <ol className="attempts">
        {attempts.toReversed().map((attempt) => (
          <li key={`${attempt.replay_id} ${attempt.attempt}`}>
            <div className="actions">
              <span className={`tag ${attempt.outcome === 'delivered' ? 'good' : 'bad'}`}>
                {attempt.status ?? attempt.failure ?? attempt.outcome}
              </span>
              <span className="small">Attempt {attempt.attempt}</span>
              {attempt.replay_id === null ? null : <Tag tone="accent">replay</Tag>}
              <span className="dim small">{formatExactTime(attempt.started_at_ms)}</span>
            </div>
            <Timing attempt={attempt} longestMs={longestMs} />
            {attempt.message === null ? null : <p className="small bad-text">{attempt.message}</p>}
            <Exchange attempt={attempt} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface TimingProps {
  readonly attempt: Attempt;
  readonly longestMs: number;
}

/** A bar whose length shows how long the attempt took, relative to the longest one. */
function Timing({ attempt, longestMs }: TimingProps): ReactNode {
  const phases = phasesOf(attempt);
  const text = phases.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ');
  let x = 0;
  return (
    <div className="timing">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={`Time: ${text}`}>
        <rect className="chart-room" width="1000" height="10" />
        {phases.map(({ name, ms }) => {
          const width = (ms / longestMs) * 1_000;
          x += width;
          return (
            <rect key={name} className={`phase ${name}`} x={x - width} width={Math.max(width, 2)} height="10">
              <title>{`${name}: ${formatDuration(ms)}`}</title>
            </rect>
          );
        })}
      </svg>
      <span className="dim small" title={text}>
        {formatDuration(attempt.duration_ms)}
      </span>
    </div>
  );
}

function Exchange({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { request_headers, answer_headers, answer, address } = attempt;
  const requestLines = request_headers === null ? undefined : headerLines(request_headers);
  const headers = answer_headers === null ? [] : headerLines(answer_headers);
  const answerLines = [...headers, ...(answer === null || answer === '' ? [] : ['', answer])];
  if (requestLines === undefined && answerLines.length === 0) return null;
  return (
    <div className="exchange">
      {requestLines === undefined ? null : (
        <section>
          <h3>Request{address === null ? '' : ` to ${address}`}</h3>
          <pre className="pre" tabIndex={0} aria-label="Request">
            {requestLines.join('\n')}
          </pre>
        </section>
      )}
      {answerLines.length === 0 ? null : (
        <section>
          <h3>Answer</h3>
          <pre className="pre" tabIndex={0} aria-label="Answer">
            {answerLines.join('\n').trimStart()}
          </pre>
        </section>
      )}
    </div>
  );
}

const headerLines = (headers: Readonly<Record<string, string | readonly string[]>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
