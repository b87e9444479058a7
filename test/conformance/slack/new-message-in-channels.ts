// Gets events by an app hook whose event names a function returns, and asks for the author with Slack's own client.
import { expect } from '@jest/globals';
import type { Story } from '../story.ts';

const path = '@pipedream/slack@0.10.3/sources/new-message-in-channels/new-message-in-channels.mjs';
const host = 'slack.com';
const token = 'xoxp-a-token-for-messages';

const message = {
  type: 'message',
  client_msg_id: 'cm1',
  channel: 'C1',
  user: 'U1',
  text: 'hello',
  event_ts: '1700000000.000100',
};

/** Answers by method of Slack's API. */
const answers: Readonly<Record<string, unknown>> = {
  '/api/users.info': { ok: true, user: { id: 'U1', name: 'ann' } },
  '/api/conversations.info': { ok: true, channel: { id: 'C1', name: 'general' } },
};

export const newMessageInChannels: Story = {
  key: 'slack-new-message-in-channels',
  async play(world) {
    world.upstream.serve(host, ({ path: asked }) => ({
      body: answers[asked] ?? { ok: false, error: 'unknown_method' },
    }));
    const slack = await world.account('slack', { oauth_access_token: token, oauth_uid: 'U9' });
    const source = await world.deploy(path, { slack, conversations: ['C1'], resolveNames: true });

    expect(source.configured_props).toMatchObject({ slackApphook: { event_names: ['C1'] } });
    const endpoint = (source.configured_props['slackApphook'] as { readonly endpoint_url: string }).endpoint_url;
    const pass = async (event: object, name = 'C1'): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const url = `${endpoint}?event_name=${name}`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event) });
      return [response.status, await response.json()];
    };
    const accepted = (isAccepted: boolean): unknown => [200, { data: { accepted: isAccepted } }];
    const runOf = async (event: object, number: number): Promise<unknown> => {
      expect(await pass(event)).toEqual(accepted(true));
      return (await world.runs(source, 'apphook', number)).at(-1);
    };
    expect(await pass(message, 'C2')).toEqual(accepted(false));
    expect(await runOf(message, 1)).toMatchObject({ outcome: 'succeeded', emitted: { length: 1 } });
    expect(await runOf({ ...message, type: 'reaction_added' }, 2)).toMatchObject({ emitted: [], deduped: 0 });
    expect(await runOf({ ...message, subtype: 'message_changed' }, 3)).toMatchObject({ emitted: [], deduped: 0 });
    expect(await runOf(message, 4)).toMatchObject({ emitted: [], deduped: 1 });
    expect(await world.events(source, 1)).toMatchObject([
      {
        event: { ...message, user: 'ann', user_id: 'U1', channel: 'general', channel_id: 'C1' },
        metadata: { id: 'cm1', name: '', summary: 'New message in channel', ts: expect.any(Number) },
      },
    ]);
    // For a second message of the same user and channel, both names are in the db.
    const asked = world.upstream.requestsTo(host);
    expect(asked.map(({ method, path: to }) => `${method} ${to}`)).toEqual([
      'POST /api/users.info',
      'POST /api/conversations.info',
    ]);
    expect(asked[0]).toMatchObject({ body: 'user=U1', headers: { authorization: `Bearer ${token}` } });
    await world.client.deleteSource(source.id);
  },
};
