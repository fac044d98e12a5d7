/** The sources of the console, besides its libraries, as globs. A test follows its imports. */
export const SOURCES: readonly string[] = [
  'console/**/*.{ts,tsx,css,html,json}',
  'shared/**/*.ts',
  'src/{config/{compiled,documents,secrets},gateway,gateway/makers,ingest/form,lib,outbox/state,schema,template/filters}/*.ts',
  'assets/forms/*.json',
  'package-lock.json',
];
