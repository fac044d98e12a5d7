import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * Builds the console into the static assets. Its files have names with a digest, so that browsers keep them for ever;
 * only `index.html` changes, and that is served by the Worker under `/admin` with its policy.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // A policy without inline scripts and styles has no place for files inside others.
  build: {
    outDir: join(import.meta.dirname, '../assets/console'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A slow machine is no fault of a plugin.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
