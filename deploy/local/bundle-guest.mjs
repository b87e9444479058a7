// The last step of the build: the sandbox's guest, bundled into one script beside the code that loads it.
import { writeFileSync } from 'node:fs';
import { builtBundlePath, bundleGuest } from '../../dist/libs/sandbox/isolated-vm/guest-bundle.js';

writeFileSync(builtBundlePath, await bundleGuest());
