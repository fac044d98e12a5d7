import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A statement as a template literal that begins with its verb. */
const STATEMENT = /`(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH)\s[^`]*`/g;

/**
 * The statements in a source file, without the indents of their lines. The lines stay where they are, for the source
 * map: an escaped line break is no character of a text.
 */
export const shortStatements = (source: string): string =>
  source.replaceAll(STATEMENT, (statement) => statement.replaceAll(/\n\s*/g, ' \\\n'));

/** The database reads any white space as one blank, so the bundle has no other. */
export const shortenStatements: Plugin = {
  name: 'short-statements',
  setup: (build) => {
    build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, async ({ path }) =>
      /node_modules/.test(path)
        ? undefined
        : { contents: shortStatements(await readFile(path, 'utf8')), loader: 'ts' },
    );
  },
};
