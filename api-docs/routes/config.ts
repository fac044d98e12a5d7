import { PAGE, prose } from '../spec.ts';
import { exampleSet, dryRun, ETAG, ifMatch, PUBLISH_PROBLEMS } from './documents.ts';
import { configSet, keptFiles, receipt, takenOver, activated } from '../../src/admin/config/api-config.ts';
import { versionPage } from '../../src/registry/api-version.ts';

const asManaged = {
  managed:
    '`true`: the configuration is managed in git from now on, and every publish without this is refused.',
} as const;

export const configProse = prose('config', {
  publishConfig: {
    summary: 'Publish a whole set',
    description:
      'Replaces all documents. The set is checked as a whole, with the names and secrets that documents refer to; if anything is wrong, nothing changes. With `managed=true`, a set that is already active makes no new version.',
    query: { ...dryRun, ...asManaged },
    headers: ifMatch,
    body: {
      name: 'NewConfigSet',
      about: 'A whole set of documents.',
      keys: {
        sources:
          'All sources by id. Collections that are left out become empty, since the set replaces the previous one.',
        templates: 'All templates by their names.',
        recipients: 'All recipients lists by their names.',
        accounts: 'All accounts by their names; `default` needs no document.',
        silences: 'All silences by their names. Silences that were added by hand are not included.',
        providers: 'Providers of your own by their ids. Those that are built in are not included.',
        files:
          'With `managed=true`: the texts of the files, by their paths in the folder, such as `sources/shop.yaml`. At most 1,000,000 bytes as JSON.',
      },
      examples: { set: exampleSet },
    },
    answer: {
      description: 'The set is active. With `dry_run=true`, it is valid, and nothing changed.',
      schema: receipt,
    },
    problems: ['too-large', ...PUBLISH_PROBLEMS],
  },
  exportConfig: {
    summary: 'Export the whole set',
    description: 'The response can be published again unchanged.',
    query: { version: ['An earlier version; by default the active one.', 7] },
    answer: {
      description: 'All documents by their names.',
      schema: configSet,
      headers: { ...ETAG, 'Hookbell-Config-Version': 'The version of the set.' },
    },
    problems: ['not-found'],
  },
  listVersions: {
    summary: 'List versions',
    query: PAGE,
    answer: { description: 'Newest first.', schema: versionPage },
  },
  activateVersion: {
    summary: 'Activate an earlier version',
    description: 'It is checked again, since its secrets may be gone.',
    query: asManaged,
    headers: ifMatch,
    answer: { description: 'It is active.', schema: activated },
    problems: ['not-found', ...PUBLISH_PROBLEMS],
  },
  takeOverConfig: {
    summary: 'Take over a configuration that is managed in git',
    description:
      'Lets people publish until the next push with `managed=true`. The documents do not change; the list of versions shows `name`. 409 if the configuration is not managed.',
    body: {
      name: 'Takeover',
      about: 'The person who takes over a configuration that is managed in git.',
      keys: { name: 'The name of the person, for the list of versions.' },
      examples: { takeover: { name: 'Ann' } },
    },
    answer: { description: 'The configuration is taken over.', schema: takenOver },
    problems: ['conflict'],
  },
  readConfigFiles: {
    summary: 'Read the files of a configuration that is managed in git',
    description:
      'Returns the files of the last push with `managed=true`; the console makes patches from them. There are none if that push sent none, or after a takeover.',
    query: {
      path: ['Only this file, with its text.', 'recipients/owners.yaml'],
    },
    answer: { description: 'One file, or a list.', schema: keptFiles },
    problems: ['not-found'],
  },
});
