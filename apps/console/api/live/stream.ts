// Keeps a stream of the service open while a page shows it: reconnects after a loss, and resumes after the last record.
import { useEffect, useRef, useState } from 'react';
import { checkSignedIn, urlOf } from '../http.ts';
import { startGroups } from './grouping.ts';
import { reconnectMs } from './merging.ts';

export type Connection = 'connecting' | 'live' | 'lost';

interface StreamOptions {
  readonly enabled: boolean;
  /** The record after which the stream begins; undefined: it begins now. */
  readonly after: string | undefined;
  /** Called with one record or several, oldest first. */
  readonly onRecords: (texts: readonly string[]) => void;
  /** Called after each connection. */
  readonly onOpen: () => void;
}

export function useStream(path: string, options: StreamOptions): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { enabled } = options;
  useEffect(() => {
    if (!enabled) return undefined;
    setConnection('connecting');
    return keepOpen(path, latest.current.after, {
      onRecords: (texts) => latest.current.onRecords(texts),
      onChange: (state) => {
        setConnection(state);
        if (state === 'live') latest.current.onOpen();
      },
    });
  }, [path, enabled]);
  return enabled ? connection : 'connecting';
}

interface Listeners {
  readonly onRecords: (texts: readonly string[]) => void;
  readonly onChange: (connection: Connection) => void;
}

/** Returns a function that closes it. The browser reconnects by itself, but gives up if an answer is not a stream. */
function keepOpen(path: string, firstId: string | undefined, { onRecords, onChange }: Listeners): () => void {
  let lastId = firstId;
  let failures = 0;
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const groups = startGroups(onRecords);
  const connect = (): void => {
    source = new EventSource(urlOf(path, { after: lastId }));
    source.onopen = () => {
      failures = 0;
      onChange('live');
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') lastId = lastEventId;
      groups.add(data);
    };
    source.onerror = () => {
      onChange('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // The reason for an answer that is not a stream is not known here: the session may have ended.
      void checkSignedIn();
      timer = setTimeout(connect, reconnectMs(failures));
      failures += 1;
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    groups.end();
    source.close();
  };
}
