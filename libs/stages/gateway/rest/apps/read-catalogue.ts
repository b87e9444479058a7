// Reads the catalogue of a workspace: the apps that its newest sources and saved components use.
import { catalogueOf } from '../../../../domain/account/apps/catalogue.ts';
import type { App } from '../../../../domain/account/apps/catalogue.ts';
import type { AppUseView } from '../../../../domain/views/index.ts';
import type { ViewBuild } from '../../../../view-store/view-store.ts';

/** Records read of each kind, newest first: some 20 ms. */
const lookedThroughMax = 2_000;
const readAtOnce = 500;

export async function readCatalogue(build: ViewBuild, workspace: string): Promise<readonly App[]> {
  const uses = ['sourceApps', 'componentApps'].map((view) => newest(build, view, workspace));
  return catalogueOf((await Promise.all(uses)).flat());
}

async function newest(build: ViewBuild, view: string, workspace: string): Promise<readonly AppUseView[]> {
  const found: AppUseView[] = [];
  const query = { index: 'byWorkspace', equals: [workspace], order: 'descending', limit: readAtOnce } as const;
  let after: { readonly sort: number; readonly id: string } | undefined;
  while (found.length < lookedThroughMax) {
    const documents = await build.find(view, { ...query, ...(after === undefined ? {} : { after }) });
    found.push(...documents.map(({ value }) => value as AppUseView));
    const last = documents.at(-1);
    if (last === undefined || documents.length < readAtOnce) break;
    after = { sort: (last.value as AppUseView).createdAt, id: last.id };
  }
  return found;
}
