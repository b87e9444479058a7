// Shows whether a list is updated live.
import type { ReactNode } from 'react';
import type { Connection } from '../../api/live/stream.ts';

const words = { live: 'Live', connecting: 'Connecting…', lost: 'Connecting again…', paused: 'Paused' } as const;

export const LiveState = ({ connection }: { readonly connection: Connection | 'paused' }): ReactNode => (
  <span className={`live ${connection}`} role="status">
    {words[connection]}
  </span>
);
