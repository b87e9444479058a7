import { firstTransform, templates } from './templates.ts';

type Transform = (event: object, metadata: object) => { readonly body: unknown; readonly headers?: object } | null;
const metadata = { event_id: '1700000000000-0', event_name: '', emitted_at_ms: 1_700_000_000_000 };
const event = { id: 7, name: 'Ada', email: 'ada@example.com' };

async function compiled(text: string): Promise<Transform> {
  const module = `data:text/javascript,${encodeURIComponent(`export default ${text}`)}`;
  return ((await import(module)) as { readonly default: Transform }).default;
}

test.each([{ name: 'the first one', text: firstTransform }, ...templates])(
  '$name compiles to a function that returns a body for an event',
  async ({ text }) => {
    const sent = (await compiled(text))(event, metadata);
    expect(typeof sent?.body).toBe('object');
    expect(JSON.stringify(sent).length).toBeGreaterThan(10);
  },
);

test('templates do what they are named after', async () => {
  const sent = await Promise.all(templates.map(async ({ text }) => (await compiled(text))(event, metadata)));
  expect(JSON.parse(JSON.stringify(sent))).toEqual([
    { body: { id: '1700000000000-0', type: '', time: '2023-11-14T22:13:20.000Z', data: event } },
    { body: { id: 7, name: 'Ada' } },
    { body: { id: 7, name: 'Ada' } },
    { body: { text: expect.stringMatching(/^Event 1700000000000-0: \{"id":7/) } },
    { body: event, headers: { 'x-event-type': 'default' } },
    { body: event },
  ]);
  const some = await compiled(templates.at(-1)?.text ?? '');
  expect(some({ draft: true }, metadata)).toBeNull();
});
