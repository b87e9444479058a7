// Configures the build of the console, and `npm run console`, which serves it for development with a running service.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const service = process.env['PD_URL'] ?? 'http://127.0.0.1:3000';
const proxied = ['/v1', '/session', '/health', '/openapi.json'];

export default defineConfig({
  root,
  // Not Vite's default folder, which another project that shares these node_modules would use too.
  cacheDir: '../../node_modules/.cache/vite-console',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Inlined styles and images would need a weaker content security policy.
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
