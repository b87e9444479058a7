// Writes docs/cli.md; run by `npm run commands`.
import { writeFileSync } from 'node:fs';
import { cliPage, pagePath } from './page.ts';

writeFileSync(new URL(`../../../${pagePath}`, import.meta.url), await cliPage());
