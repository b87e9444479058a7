// Reads the catalogue of a workspace: the apps that its newest sources and saved components use.
import { catalogueOf } from '../../../../domain/account/apps/catalogue.ts';
import type { App } from '../../../../domain/account/apps/catalogue.ts';
import type { AppUseView } from '../../../../domain/views/index.ts';
import type { ViewBuild } from '../../../../view-store/view-store.ts';

/** Records read of each kind, newest first: some 20 ms. */
const recordsReadMax = 2_000;
const recordsPerRead = 500;

export async function readCatalogue(build: ViewBuild, workspace: string): Promise<readonly App[]> {
  const uses = ['sourceApps', 'componentApps'].map((view) => readNewestUses(build, view, workspace));
  return catalogueOf((await Promise.all(uses)).flat());
}

async function readNewestUses(build: ViewBuild, view: string, workspace: string): Promise<readonly AppUseView[]> {
  const uses: AppUseView[] = [];
  const query = { index: 'byWorkspace', equals: [workspace], order: 'descending', limit: recordsPerRead } as const;
  let after: { readonly sort: number; readonly id: string } | undefined;
  while (uses.length < recordsReadMax) {
    const documents = await build.find(view, { ...query, ...(after === undefined ? {} : { after }) });
    uses.push(...documents.map(({ value }) => value as AppUseView));
    const last = documents.at(-1);
    if (last === undefined || documents.length < recordsPerRead) break;
    after = { sort: (last.value as AppUseView).createdAt, id: last.id };
  }
  return uses;
}
