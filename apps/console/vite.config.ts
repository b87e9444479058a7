// How the console is built, and how it is served while it is worked on: `npm run console` beside a running service.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const service = process.env['PD_URL'] ?? 'http://127.0.0.1:3000';
const proxied = ['/v1', '/session', '/health', '/openapi.json'];

export default defineConfig({
  root,
  // Not among the dependencies' folders of another project that shares them.
  cacheDir: '../../node_modules/.cache/vite-console',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Styles and pictures inside the script or the page would need a weaker policy of content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: {
      // Hundreds of files of the component library say "use client", which means nothing here.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: service }])) },
});
