// The folders of the local servers: downloads in the user's cache, data in the user's state folder.
import { homedir } from 'node:os';
import { join } from 'node:path';

const under = (base, fallback) => join(base || join(homedir(), ...fallback), 'wellspring');

/** Can be deleted at any time: it is created again. */
export const cacheDir = under(process.env.XDG_CACHE_HOME, ['.cache']);

/** The data of servers that were started without a data directory. */
export const defaultDataDir = join(under(process.env.XDG_STATE_HOME, ['.local', 'state']), 'engines');
