// Every kind of query of history that finds nothing, alone and combined: each might have to read everything.
import { derivedId, type IdPrefix, timedId } from '../../../libs/domain/id.ts';
import type { Question } from '../../../libs/stages/gateway/history/question.ts';

type Filter = Omit<Question, 'workspace'>;

const subjects: readonly IdPrefix[] = ['dc', 'wh', 'sub', 'run', 'msg', 'key', 'rec', 'req', 'apn', 'sc'];

/** For a history from `began` to `ended` with only EventEmitted on `channels`. */
export function questions(workspace: string, began: number, ended: number): readonly Question[] {
  const middle = Math.floor((began + ended) / 2);
  const ids = subjects.map((prefix) => derivedId(prefix, 'nothing'));
  const singleFilters: readonly Filter[] = [
    { topic: 'runs' },
    { type: 'RunFinished' },
    { chainId: derivedId('req', 'nothing') },
    { chainId: timedId(derivedId('req', 'nothing'), began) },
    ...ids.map((subject) => ({ subject })),
    ...[`${began}-0`, `${middle}-0`, timedId(derivedId('req', 'nothing'), middle)].map((subject) => ({ subject })),
    { from: ended + 3_600_000 },
    { to: began },
  ];
  const combined = singleFilters.flatMap((each) => [
    each,
    { from: middle, ...each },
    { ...each, topic: 'channels' as const, type: 'EventEmitted', subject: each.subject ?? derivedId('wh', 'nothing') },
    { ...each, to: each.to ?? ended },
  ]);
  return [
    ...combined.map((each) => ({ workspace, ...each })),
    { workspace: derivedId('o', 'nothing') },
    { workspace: derivedId('o', 'nothing'), from: middle },
  ];
}
