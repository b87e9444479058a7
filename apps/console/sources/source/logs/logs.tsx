// Shows a source's runs live, with their outcome, console and error; the address names the selected run.
import { memo } from 'react';
import type { ReactNode } from 'react';
import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useLiveRuns } from '../../../api/live/runs.ts';
import { useRecord } from '../../../api/record.ts';
import type { Run, Source } from '../../../api/records.ts';
import { formatDuration } from '../../../parts/format.ts';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { useStableCallback } from '../../../parts/hooks/stable-callback.ts';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { ListFoot } from '../../../parts/table.tsx';
import { StateTag } from '../../../parts/tag.tsx';
import { LiveState } from '../live-state.tsx';
import { RunDetail } from './run-detail.tsx';

const outcomes = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
];

export function Logs({ source }: { readonly source: Source }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const outcome = search.get('outcome') === 'failed' ? 'failed' : 'all';
  const outcomeParam = outcome === 'all' ? {} : { outcome };
  const { list, connection } = useLiveRuns(source.id, outcome === 'all' ? undefined : outcome);
  const chosen = search.get('run') ?? undefined;
  const selected = chosen ?? list.items[0]?.id;
  const select = useStableCallback((id: string) => setSearch({ ...outcomeParam, run: id }, { replace: true }));
  const listed = list.items.find(({ id }) => id === selected);
  return (
    <Card
      flush
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Runs"
            data={outcomes}
            value={outcome}
            onChange={(value) => setSearch(value === 'all' ? {} : { outcome: value }, { replace: true })}
          />
          <LiveState connection={connection} />
        </>
      }
    >
      {list.items.length === 0 && chosen === undefined ? (
        <NoRuns list={list} />
      ) : (
        <div className="split">
          <div>
            <div className="split-list">
              <ul aria-label="Runs">
                {list.items.map((run) => (
                  <RunEntry key={run.id} run={run} isSelected={run.id === selected} onSelect={select} />
                ))}
              </ul>
            </div>
            <ListFoot list={list} />
          </div>
          <div className="split-detail" role="region" aria-label="Run" tabIndex={0}>
            {selected === undefined ? null : <SelectedRun sourceId={source.id} id={selected} listed={listed} />}
          </div>
        </div>
      )}
    </Card>
  );
}

function NoRuns({ list }: Pick<ReturnType<typeof useLiveRuns>, 'list'>): ReactNode {
  if (list.isLoading) return <Loading />;
  if (list.error !== null) return <Failed error={list.error} retry={list.reload} />;
  return (
    <Empty icon="source" title="No runs to show">
      Each run and hook of the source appears here when it has ended, with what it wrote to its console.
    </Empty>
  );
}

interface SelectedRunProps {
  readonly sourceId: string;
  readonly id: string;
  readonly listed: Run | undefined;
}

function SelectedRun({ sourceId, id, listed }: SelectedRunProps): ReactNode {
  const fetched = useRecord<Run>(listed === undefined ? `/v1/sources/${sourceId}/runs/${id}` : undefined);
  const run = listed ?? fetched.data;
  if (run !== undefined) return <RunDetail run={run} />;
  return fetched.error === null ? <Loading rows={3} /> : <Failed error={fetched.error} />;
}

interface EntryProps {
  readonly run: Run;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

const RunEntry = memo(({ run, isSelected, onSelect }: EntryProps): ReactNode => (
  <li>
    <button type="button" className="entry" aria-current={isSelected} onClick={() => onSelect(run.id)}>
      <span>
        <StateTag state={run.outcome} /> <span className="dim small">{run.kind}</span>
      </span>
      <span className="dim small">
        <Ago ms={run.started_at_ms} />
      </span>
      <span className="entry-sub clip mono dim">
        {run.error?.message ?? run.console[0]?.text ?? `${formatDuration(run.duration_ms)}, wrote nothing`}
      </span>
    </button>
  </li>
));
