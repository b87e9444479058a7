// Requires Node's HTTP modules in bundles. An import of them reads each of their exports at once, and one of these loads
// Node's own client, which takes a process 30 ms of its start and several MB.

/** For esbuild. The bundle's banner defines `require`. */
export const requiredHttp = {
  name: "Node's HTTP modules without its client",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
  },
};
