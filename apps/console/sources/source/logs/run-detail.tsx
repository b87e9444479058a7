// Shows one run: its error with its place in the code, its console, its requests and the events that it emitted.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../../api/records.ts';
import { pluralize, formatDuration, formatExactTime } from '../../../parts/format.ts';
import { Facts } from '../../../parts/page.tsx';
import { StateTag } from '../../../parts/tag.tsx';

/** More lines than a screen holds; a run can print thousands. */
const linesMax = 500;

export function RunDetail({ run }: { readonly run: Run }): ReactNode {
  return (
    <div className="card-body bare">
      <Facts
        facts={{
          Outcome: <StateTag state={run.outcome} />,
          Kind: run.kind,
          Started: formatExactTime(run.started_at_ms),
          Took: formatDuration(run.duration_ms),
          Emitted: <Emitted run={run} />,
          Id: <span className="mono">{run.id}</span>,
        }}
      />
      {run.error === null ? null : <RunError error={run.error} />}
      <section>
        <h2>Console</h2>
        {run.console.length === 0 ? (
          <p className="dim small">This run wrote nothing to its console.</p>
        ) : (
          <pre className="pre" tabIndex={0}>
            {run.console
              .slice(0, linesMax)
              .map(({ text }) => text)
              .join('\n')}
            {run.console.length > linesMax ? `\n… ${pluralize(run.console.length - linesMax, 'further line')}` : ''}
          </pre>
        )}
      </section>
      {run.requests.length === 0 ? null : <Requests run={run} />}
    </div>
  );
}

function Emitted({ run }: { readonly run: Run }): ReactNode {
  const [first] = run.emitted;
  const text = pluralize(run.emitted.length, 'event');
  const deduped = run.deduped > 0 ? `, ${run.deduped} dropped as duplicates` : '';
  if (first === undefined) return `${text}${deduped}`;
  return (
    <>
      <Link href={`/sources/${run.source_id}?event=${first}`}>{text}</Link>
      {deduped}
    </>
  );
}

/** The error as text. A stack contains the message at the error's creation, which can have changed since. */
function errorText({ name, message, stack }: NonNullable<Run['error']>): string {
  if (stack?.includes(message)) return stack;
  return `${name}: ${message}${stack === undefined ? '' : `\n${stack}`}`;
}

const RunError = ({ error }: { readonly error: NonNullable<Run['error']> }): ReactNode => (
  <section>
    <h2>Error{error.line === undefined ? '' : ` in line ${error.line}, column ${error.column ?? 1}`}</h2>
    <pre className="pre bad-text" tabIndex={0}>
      {errorText(error)}
    </pre>
  </section>
);

const Requests = ({ run }: { readonly run: Run }): ReactNode => (
  <section>
    <h2>{pluralize(run.request_count, 'request')}</h2>
    <pre className="pre" tabIndex={0}>
      {run.requests
        .map(
          ({ method, host, status, duration_ms }) =>
            `${method} ${host}  ${status ?? 'failed'}  ${formatDuration(duration_ms)}`,
        )
        .join('\n')}
    </pre>
  </section>
);
