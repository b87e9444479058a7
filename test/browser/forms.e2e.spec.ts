// Components that ask for what only they know: accounts, options page by page, props that depend on others.
import { beginMs, storyMs, Visit } from './visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

const weather = `
const cities = { fr: ['Lyon', 'Nice', 'Paris'], jp: ['Kobe', 'Osaka', 'Tokyo'] };
const atlas = {
  type: 'app', app: 'atlas',
  propDefinitions: { city: {
    type: 'string', label: 'City', useQuery: true,
    options({ page, query = '', country }) {
      const found = cities[country].filter((city) => city.toLowerCase().includes(query.toLowerCase()));
      return found.slice(page * 2, page * 2 + 2);
    },
  } },
};
export default {
  key: 'weather', name: 'Weather', version: '0.1.0',
  props: {
    atlas,
    country: { type: 'string', label: 'Country', options: ['fr', 'jp'] },
    city: { propDefinition: [atlas, 'city', ({ country }) => ({ country })] },
    days: { type: 'integer[]', label: 'Days', withLabel: true, optional: true,
      options: () => [{ label: 'Monday', value: 1 }, { label: 'Tuesday', value: 2 }] },
    live: { type: 'boolean', label: 'Live', default: false, reloadProps: true },
  },
  additionalProps() {
    return this.live
      ? { http: '$.interface.http' }
      : { hours: { type: 'integer', label: 'Hours between', options: () => [{ label: 'In ' + this.city, value: 1 }] } };
  },
  run() {
    this.$emit({ city: this.city, days: this.days, token: this.atlas.$auth.token.length }, { summary: 'Weather' });
  },
};`;

test(
  'a form asks the component itself: accounts, options by page and search, and other props for other values',
  async () => {
    const { page, client } = visit;
    await client.saveComponent({ component_code: weather });
    await page.goto('/sources?action=create&key=weather');
    await visit.button('Check and deploy').click();
    await visit.button('Connect an account').click();
    await visit.field('Token').fill('secret!');
    await visit.expectAccessible();
    await visit.button('Connect').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visit.choose('Country', 'jp');
    await page.getByRole('combobox', { name: 'City' }).click();
    await page.getByRole('option', { name: 'Kobe' }).waitFor();
    await page.getByRole('option', { name: 'More …' }).click();
    await page.getByRole('option', { name: 'Tokyo' }).waitFor();
    await visit.expectAccessible();
    await page.getByRole('combobox', { name: 'City' }).fill('osa');
    await page.getByRole('option', { name: 'Kobe' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Osaka' }).click();
    await visit.choose('Days', 'Monday');
    await visit.choose('Days', 'Tuesday');
    await page.keyboard.press('Escape');
    await visit.choose('Hours between', 'In Osaka');
    await visit.expectAccessible();
    await visit.button('Deploy').click();
    await visit.heading('Weather').waitFor();
    const [source] = (await client.sources()).data;
    expect(source?.configured_props).toMatchObject({ city: 'Osaka', hours: 1, live: false });
  },
  storyMs,
);

test(
  'a deployed source is asked the same way: what another value takes away is not sent',
  async () => {
    const { page, client } = visit;
    await visit.link('Configuration').click();
    expect(await page.getByRole('combobox', { name: 'City' }).inputValue()).toBe('Osaka');
    await page.getByRole('checkbox', { name: 'Live' }).check();
    await page.getByRole('combobox', { name: 'Hours between' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Monday' }).click();
    await visit.expectAccessible();
    await visit.button('Save props').click();
    await page.getByText('The props are saved.').waitFor();
    const [source] = (await client.sources()).data;
    expect(source?.configured_props).toMatchObject({ live: true, days: [{ label: 'Tuesday', value: 2 }] });
    expect(source?.configured_props).not.toHaveProperty('hours');
    expect(visit.faults).toEqual([]);
  },
  storyMs,
);
