import type { ViewBuild, ViewDocument } from '../../../view-store/view-store.ts';
import { runStreams } from './stream-kind.ts';

const id = 'run_0000000000000001';
const known = { id, version: 1, value: { workspace: 'o_1', sourceId: 'dc_1', place: 7 } } as unknown as ViewDocument;
const build = {
  get: async (_view: string, asked: string) => (asked === id ? known : undefined),
} as unknown as ViewBuild;
const find = (workspace: string, sourceId: string, asked = id) =>
  runStreams.find(build, { workspace, sourceId }, asked).catch((error: Error) => error.message);

test('a run is found in the stream of its source, and refused in that of another one', async () => {
  expect(await find('o_1', 'dc_1')).toEqual({ position: { sort: 7, id }, isGone: false });
  expect(await find('o_1', 'dc_2')).toMatch(/names no record of this stream/);
});

test('a run of another workspace is like one that never existed', async () => {
  const none = await find('o_2', 'dc_2', 'run_0000000000000002');
  expect(none).toEqual({ position: undefined, isGone: true });
  expect(await find('o_2', 'dc_2')).toEqual(none);
});
