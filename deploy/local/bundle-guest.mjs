// The last step of the build: bundles the sandbox's guest into one script, next to the code that loads it.
import { writeFileSync } from 'node:fs';
import { builtBundlePath, bundleGuest } from '../../dist/libs/sandbox/isolated-vm/guest-bundle.js';

writeFileSync(builtBundlePath, await bundleGuest());
