// The contract of every view store: each adapter and fake calls this with a function that opens one.
import { promiseBuilds } from './contract/builds.ts';
import { promiseDocuments } from './contract/documents.ts';
import type { OpenViewStore } from './contract/fixture.ts';
import { promiseRemoval } from './contract/removal.ts';
import { promiseQueries } from './contract/queries.ts';

export type { OpenViewStore } from './contract/fixture.ts';

export function describeViewStore(name: string, open: OpenViewStore): void {
  describe(name, () => {
    describe('documents', () => promiseDocuments(open));
    describe('queries', () => promiseQueries(open));
    describe('removal of ranges', () => promiseRemoval(open));
    describe('checkpoint and builds', () => promiseBuilds(open));
  });
}
