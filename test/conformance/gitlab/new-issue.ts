// Registers a webhook with a generated token, checks that token in requests, and removes the webhook.
import { expect } from '@jest/globals';
import type { Story } from '../story.ts';

const path = '@pipedream/gitlab@0.5.6/sources/new-issue/new-issue.mjs';
/** A self-hosted GitLab, which the account names. */
const host = 'gitlab.upstream.example';
const token = 'a-token-for-issues';

const issue = (id: number, previous: string | null): string =>
  JSON.stringify({
    user: { name: 'N', username: 'u' },
    object_attributes: { id, iid: 4, title: 'T', created_at: '2024-01-02T00:00:00Z' },
    changes: { updated_at: { previous } },
  });

export const newIssue: Story = {
  key: 'gitlab-new-issue',
  async play(world) {
    world.upstream.serve(host, ({ method, path: asked }) => {
      if (method === 'POST' && asked === '/api/v4/projects/7/hooks') return { status: 201, body: { id: 99 } };
      return method === 'DELETE' && asked === '/api/v4/projects/7/hooks/99' ? { status: 204 } : undefined;
    });
    const gitlab = await world.account('gitlab', { oauth_access_token: token, base_api_url: host });
    const source = await world.deploy(path, { gitlab, projectId: 7 });

    const [registered] = world.upstream.requestsTo(host);
    const hook = registered?.body as { token: string };
    expect(registered).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(hook).toEqual({
      issues_events: true,
      url: source.configured_props.http.endpoint_url,
      token: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    });

    const send = async (body: string, sent: string): Promise<number> =>
      (await world.send(source, { headers: { 'x-gitlab-token': sent }, body })).status;
    expect(await send(issue(301, null), 'another')).toBe(404);
    expect(await send(issue(301, null), hook.token)).toBe(200);
    expect(await send(issue(302, '2024-01-01T00:00:00Z'), hook.token)).toBe(200);
    expect(await send(issue(301, null), hook.token)).toBe(200);
    const runs = await world.httpRuns(source, 4);
    expect(runs.map(({ outcome, emitted, deduped }) => [outcome, emitted.length, deduped])).toEqual([
      ['succeeded', 0, 0],
      ['succeeded', 1, 0],
      ['succeeded', 0, 0],
      ['succeeded', 0, 1],
    ]);
    const events = await world.events(source, 1);
    expect(events).toMatchObject([
      {
        event: JSON.parse(issue(301, null)),
        metadata: { id: 301, name: '', summary: 'New issue by N (u): #4 T', ts: 1704153600000 },
      },
    ]);

    await world.client.deleteSource(source.id);
    expect(world.upstream.requestsTo(host).map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      'POST /api/v4/projects/7/hooks',
      'DELETE /api/v4/projects/7/hooks/99',
    ]);
  },
};
