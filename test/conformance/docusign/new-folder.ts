// Gets the host to ask from another host, joins a default of several values, and emits with the tick's time in seconds.
import { expect } from '@jest/globals';
import { until } from '../../support/until.ts';
import { dailyTimer } from '../world.ts';
import type { Story } from '../story.ts';

const path = '@pipedream/docusign@0.2.2/sources/new-folder/new-folder.mjs';
const accountHost = 'account.docusign.com';
const apiHost = 'demo.ds.test';
const token = 'a-token-for-folders';

const folders = [
  { folderId: 'f1', name: 'Inbox', hasSubFolders: 'false' },
  { folderId: 'f2', name: 'Sent', hasSubFolders: 'false' },
];

export const newFolder: Story = {
  key: 'docusign-new-folder',
  async play(world) {
    const accounts = [{ account_id: 'acc1', account_name: 'Main', base_uri: `https://${apiHost}` }];
    world.upstream.serve(accountHost, ({ path: asked }) =>
      asked === '/oauth/userinfo' ? { body: { accounts } } : undefined,
    );
    world.upstream.serve(apiHost, ({ path: asked }) =>
      asked === '/restapi/v2.1/accounts/acc1/folders' ? { body: { folders } } : undefined,
    );
    const docusign = await world.account('docusign', { oauth_access_token: token });
    const source = await world.deploy(path, { docusign, account: 'acc1', timer: dailyTimer });
    const run = await world.run(source, { timestamp: 1700000000 });
    expect(run).toMatchObject({ outcome: 'succeeded', emitted: { length: 2 } });
    const events = await world.events(source, 2);
    expect(events.map(({ event, metadata: { id, summary, ts } }) => ({ event, id, summary, ts }))).toEqual([
      { event: folders[0], id: 'f1', summary: 'Inbox', ts: 1700000000000 },
      { event: folders[1], id: 'f2', summary: 'Sent', ts: 1700000000000 },
    ]);
    expect(world.upstream.requestsTo(apiHost)).toMatchObject([
      {
        headers: { authorization: `Bearer ${token}` },
        query: {
          start_position: '0',
          include: 'envelope_folders,template_folders,shared_template_folders',
          include_items: 'true',
        },
      },
    ]);

    const found = await world.options(path, { prop_name: 'account', configured_props: { docusign } });
    expect(found).toMatchObject({ options: [{ label: 'Main', value: 'acc1' }] });

    await world.client.updateSource(source.id, { configured_props: { timer: { intervalSeconds: 1 } } });
    const tick = await until('a tick of the timer', async () => {
      const { data } = await world.client.runs(source.id, { kind: 'timer' });
      return data.at(-1);
    });
    expect(tick).toMatchObject({ outcome: 'succeeded', emitted: [], deduped: 2 });
    await world.client.deleteSource(source.id);
  },
};
