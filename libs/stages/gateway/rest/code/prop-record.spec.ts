import { propFieldNames } from '../../../../domain/component/prop-fields.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { OpenApi } from '../../openapi/schema-faults.fake.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await TestBed.start();
});
afterAll(() => bed?.stop());

test('describes a prop with every field that a manifest can contain', async () => {
  const document = JSON.parse((await bed.send('GET', '/openapi.json')).text) as OpenApi;
  const { properties } = document.components.schemas['ConfigurableProp'] ?? {};
  expect(Object.keys(properties ?? {}).sort()).toEqual(['name', 'type', ...propFieldNames].sort());
});
