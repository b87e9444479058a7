// Pages of the apps of a catalogue, sorted by their slugs.
import type { App } from '../../../../domain/account/apps/catalogue.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { PagedList, PageQuery } from '../lists/paged-list.ts';

export class AppList implements PagedList {
  readonly #apps: readonly App[];

  constructor(apps: readonly App[]) {
    this.#apps = apps;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#apps.length);
  }

  /** `descending` is the order of the list, as with all lists. A cursor's app need not be listed any more. */
  find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const isForward = order === 'descending';
    const apps = isForward ? this.#apps : this.#apps.toReversed();
    const following = apps.filter(({ slug }) => after === undefined || (isForward ? slug > after.id : slug < after.id));
    return Promise.resolve(following.slice(0, limit).map(({ slug }) => ({ id: slug, version: 0, value: {} })));
  }

  app(slug: string): App {
    const app = this.#apps.find((one) => one.slug === slug);
    if (app === undefined) throw new Error(`the page has an app ${slug}, and the list has not`);
    return app;
  }
}
