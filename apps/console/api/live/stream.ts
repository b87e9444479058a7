// A stream of the service as long as the page shows it: connected again after a loss, resumed behind the last record.
import { useEffect, useRef, useState } from 'react';
import { checkSignedIn, target } from '../http.ts';
import { reconnectMs } from './merging.ts';

export type Connection = 'connecting' | 'live' | 'lost';

interface StreamOptions {
  readonly enabled: boolean;
  /** Behind which record it begins; undefined: with the moment of the connection. */
  readonly after: string | undefined;
  readonly onRecord: (text: string) => void;
  /** Each time it is connected. */
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
      record: (text) => latest.current.onRecord(text),
      change: (now) => {
        setConnection(now);
        if (now === 'live') latest.current.onOpen();
      },
    });
  }, [path, enabled]);
  return enabled ? connection : 'connecting';
}

interface Listeners {
  readonly record: (text: string) => void;
  readonly change: (connection: Connection) => void;
}

/** Returns what ends it. The browser connects again by itself, but gives up when an answer is no stream. */
function keepOpen(path: string, first: string | undefined, { record, change }: Listeners): () => void {
  let lastId = first;
  let failures = 0;
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    source = new EventSource(target(path, { after: lastId }));
    source.onopen = () => {
      failures = 0;
      change('live');
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') lastId = lastEventId;
      record(data);
    };
    source.onerror = () => {
      change('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // An answer that is no stream does not say why it is none: it may be that nobody is signed in any more.
      void checkSignedIn();
      timer = setTimeout(connect, reconnectMs(failures));
      failures += 1;
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
