// The builder keeps the port's contract.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePackages } from '../packages.contract.ts';
import { NpmPackages } from './npm-packages.ts';

let cacheDir = '';
beforeAll(async () => (cacheDir = await mkdtemp(join(tmpdir(), 'packages-'))));
afterAll(() => rm(cacheDir, { recursive: true }));

describePackages('NpmPackages', async () => new NpmPackages({ cacheDir }));
