// Shows the URL where a source receives requests, or a channel its events, and a shell command that sends one.
import type { ReactNode } from 'react';
import type { Source } from '../../api/records.ts';
import { CopyLine } from '../../parts/copy.tsx';
import { shellQuote } from '../../parts/format.ts';

/** The URL of its http interface, under any prop name; undefined: it has none. */
export function endpointOf({ configured_props }: Source): string | undefined {
  for (const value of Object.values(configured_props)) {
    const { endpoint_url } = (value ?? {}) as { readonly endpoint_url?: unknown };
    if (typeof endpoint_url === 'string') return endpoint_url;
  }
  return undefined;
}

export const Endpoint = ({ url }: { readonly url: string }): ReactNode => (
  <div className="endpoint">
    <div>
      <span className="dim small">Endpoint</span>
      <CopyLine text={url} what="the endpoint" />
    </div>
    <div>
      <span className="dim small">Try it</span>
      <CopyLine
        text={`curl ${shellQuote(url)} -H 'content-type: application/json' -d '{"hello":"world"}'`}
        what="the curl line"
      />
    </div>
  </div>
);

/** The command does not contain the API key, because the shell would keep it in its history. */
export function PublishInstructions({ id }: { readonly id: string }): ReactNode {
  const url = `${location.origin}/v1/sources/${id}/events`;
  const line = [
    `curl ${shellQuote(url)}`,
    '-H "Authorization: Bearer $API_KEY"',
    "-H 'content-type: application/json'",
    `-d '{"event":{"hello":"world"}}'`,
  ].join(' ');
  return (
    <div className="endpoint">
      <div>
        <span className="dim small">Publish to</span>
        <CopyLine text={url} what="the URL" />
      </div>
      <div>
        <span className="dim small">Try it, with an API key in API_KEY</span>
        <CopyLine text={line} what="the curl line" />
      </div>
    </div>
  );
}
