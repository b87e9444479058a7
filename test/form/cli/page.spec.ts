import { cliPage, writtenPage } from './page.ts';

test('docs/cli.md shows the commands as they are; `npm run commands` writes it anew', async () => {
  expect(writtenPage()).toBe(await cliPage());
});
