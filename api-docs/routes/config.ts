import { configRoutes } from '../../src/admin/config/config.ts';
import { managedRoutes } from '../../src/admin/config/managed.ts';
import {
  activatedExamples,
  fileExamples,
  publishedExamples,
  setExamples,
  takenOverExamples,
  takeoverExamples,
  versionExamples,
} from '../examples/config.ts';
import { configSet, keptFiles, receipt, takenOver } from '../../src/admin/config/api-config.ts';
import { activated } from '../../src/admin/config/api-published.ts';
import { versionPage } from '../../src/registry/api-version.ts';
import { described } from '../spec.ts';
import { dryRun, ETAG, ifMatch, PUBLISH_PROBLEMS } from './documents.ts';
import { PAGE } from './page.ts';

const asManaged = {
  managed:
    '`true`: the configuration is managed in git from now on, and every publish without this is refused.',
} as const;

/** The configuration as a whole. */
export const configSpecs = described(
  { ...configRoutes, ...managedRoutes },
  {
    publishConfig: {
      tag: 'config',
      summary: 'Publish a whole set',
      description:
        'Replaces all documents. The set is checked as a whole, with the names and secrets that documents refer to; if anything is wrong, nothing changes. With `managed=true`, a set that is already active makes no new version.',
      query: { ...dryRun, ...asManaged },
      headers: ifMatch,
      body: setExamples,
      answer: {
        description: 'The set is active. With `dry_run=true`, it is valid, and nothing changed.',
        schema: receipt,
        examples: publishedExamples,
      },
      problems: ['too-large', ...PUBLISH_PROBLEMS],
    },
    exportConfig: {
      tag: 'config',
      summary: 'Export the whole set',
      description: 'The response can be published again unchanged.',
      query: { version: ['An earlier version; by default the active one.', 7] },
      answer: {
        description: 'All documents by their names.',
        schema: configSet,
        examples: setExamples,
        headers: { ...ETAG, 'Hookbell-Config-Version': 'The version of the set.' },
      },
      problems: ['not-found'],
    },
    listVersions: {
      tag: 'config',
      summary: 'List versions',
      query: PAGE,
      answer: { description: 'Newest first.', schema: versionPage, examples: versionExamples },
    },
    activateVersion: {
      tag: 'config',
      summary: 'Activate an earlier version',
      description: 'It is checked again, since its secrets may be gone.',
      query: asManaged,
      headers: ifMatch,
      answer: { description: 'It is active.', schema: activated, examples: activatedExamples },
      problems: ['not-found', ...PUBLISH_PROBLEMS],
    },
    takeOverConfig: {
      tag: 'config',
      summary: 'Take over a configuration that is managed in git',
      description:
        'Lets people publish until the next push with `managed=true`. The documents do not change; the list of versions shows `name`. 409 if the configuration is not managed.',
      body: takeoverExamples,
      answer: {
        description: 'The configuration is taken over.',
        schema: takenOver,
        examples: takenOverExamples,
      },
      problems: ['conflict'],
    },
    readConfigFiles: {
      tag: 'config',
      summary: 'Read the files of a configuration that is managed in git',
      description:
        'Returns the files of the last push with `managed=true`; the console makes patches from them. There are none if that push sent none, or after a takeover.',
      query: {
        path: ['Only this file, with its text.', 'recipients/owners.yaml'],
      },
      answer: { description: 'One file, or a list.', schema: keptFiles, examples: fileExamples },
      problems: ['not-found'],
    },
  },
);
