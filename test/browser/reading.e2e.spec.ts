// What others have named and sent reads in the console as what it is.
import { storyMs, beginMs, Visit } from './visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await Visit.begin();
}, beginMs);
afterAll(() => visit?.end());

/** Reverses what follows: it reads "Invoice exe.pdf". */
const reversed = 'Invoice \u202efdp.exe';

test(
  'what a name reverses ends with it in titles of dialogs, and in events and code it is shown',
  async () => {
    const { page, client } = visit;
    const { id } = await client.deploySource({
      component_code: `export default { name: 'Reversed', version: '0.0.1', // \u202e
        props: { text: { type: 'string', label: '${'y'.repeat(90)}', optional: true } },
        run() { this.$emit({ file: 'fdp\u202e.exe' }, { summary: 'One file' }); } };`,
      name: reversed,
    });
    await client.runNowAndWait(id);
    await page.goto(`/sources/${id}`);
    await page.getByRole('button', { name: 'One file' }).click();
    await page.getByText(String.raw`"fdp\u202e.exe"`).waitFor();
    await visit.button('Delete').first().click();
    await page.getByRole('dialog', { name: `Delete \u2068${reversed}\u2069?` }).waitFor();
    await visit.expectAccessible();
    await visit.button('Cancel').click();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`/sources/${id}/configuration`);
    await page.locator('.cm-specialChar').first().waitFor();
    await visit.field('y'.repeat(90)).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.setViewportSize({ width: 1_280, height: 800 });
  },
  storyMs,
);
