// Polls by a timer, stores a date in the db, emits the newest first and relies on the order of its events.
import { expect } from '@jest/globals';
import { dailyTimer, codeReexporting } from '../world.ts';
import type { World } from '../world.ts';
import type { Story } from '../story.ts';
import type { UpstreamResponse, UpstreamRequest } from '../upstream.ts';

const path = '@pipedream/gitlab@0.5.6/sources/new-milestone/new-milestone.mjs';
const host = 'gitlab.com';
const token = 'a-token-for-milestones';

const first = { id: 11, title: 'A', created_at: '2024-01-02T00:00:00Z' };
const second = { id: 12, title: 'B', created_at: '2024-01-03T00:00:00Z' };

/** Sets the date in the db as after an old run; the db stays when the code is replaced. */
const leftBehind = `export default {
  name: 'New Milestone', version: '0.0.1',
  props: { db: '$.service.db', timer: '$.interface.timer', projectId: 'integer', gitlab: { type: 'app', app: 'gitlab' } },
  hooks: { activate() { this.db.set('lastProcessedMilestoneTime', '2024-01-01T00:00:00Z'); } },
  run() {},
};`;

export const newMilestone: Story = {
  key: 'gitlab-new-milestone',
  async play(world) {
    let milestones = [second, first];
    world.upstream.serve(host, (asked) => answer(asked, milestones));
    const gitlab = await world.account('gitlab', { oauth_access_token: token });
    const source = await world.deploy(path, { gitlab, projectId: 7, timer: dailyTimer });
    // Without a date it begins now, and both are older.
    expect(await world.run(source)).toMatchObject({ outcome: 'succeeded', emitted: [], deduped: 0 });

    await world.client.updateSource(source.id, { component_code: leftBehind });
    await world.client.updateSource(source.id, { component_code: codeReexporting(path) });
    expect(await world.run(source)).toMatchObject({ outcome: 'succeeded', emitted: { length: 2 } });
    const events = await world.events(source, 2);
    expect(events.map(({ event, metadata: { id, summary, ts, name } }) => ({ event, id, summary, ts, name }))).toEqual([
      { event: first, id: 11, summary: 'New milestone: A', ts: 1704153600000, name: '' },
      { event: second, id: 12, summary: 'New milestone: B', ts: 1704240000000, name: '' },
    ]);

    milestones = [second];
    expect(await world.run(source)).toMatchObject({ outcome: 'succeeded', emitted: [], deduped: 0 });
    const dates = polls(world).map(({ query }) => query['updated_after']);
    expect(dates).toEqual([expect.stringMatching(/Z$/), '2024-01-01T00:00:00Z', '2024-01-03T00:00:00Z']);
    expect(polls(world).every(({ headers }) => headers['authorization'] === `Bearer ${token}`)).toBe(true);
    await expectOptions(world, { gitlab });
    await world.client.deleteSource(source.id);
  },
};

function answer({ path: asked, query }: UpstreamRequest, milestones: readonly unknown[]): UpstreamResponse | undefined {
  if (asked === '/api/v4/projects/7/milestones') return { body: milestones };
  if (asked !== '/api/v4/projects' || query['owned'] !== 'true') return undefined;
  return { body: query['page'] === '1' ? [{ id: 7, path_with_namespace: 'a/b' }] : [] };
}

const polls = (world: World): readonly UpstreamRequest[] =>
  world.upstream.requestsTo(host).filter(({ path: asked }) => asked.endsWith('/milestones'));

async function expectOptions(world: World, configured_props: Readonly<Record<string, unknown>>): Promise<void> {
  const ask = (page: number): Promise<unknown> =>
    world.options(path, { prop_name: 'projectId', configured_props, page });
  expect(await ask(0)).toMatchObject({ options: [{ label: 'a/b', value: 7 }] });
  expect(await ask(1)).toMatchObject({ options: [] });
}
