import { exportQuery } from '../../src/admin/config/config.ts';
import { filesQuery, managedQuery } from '../../src/admin/config/managed.ts';
import { numberedQuery } from '../../src/admin/request/pages.ts';
import {
  activatedExamples,
  fileExamples,
  publishedExamples,
  setExamples,
  takenOverExamples,
  takeoverExamples,
  versionExamples,
} from '../examples/config.ts';
import { REQUEST_BODIES } from '../request-bodies.ts';
import { activated, configSet, keptFiles, receipt, takenOver } from '../schemas/config.ts';
import { versionPage } from '../schemas/history.ts';
import { queryOf, type RouteSpec } from '../spec.ts';
import { dryRun, ETAG, ifMatch, PUBLISH_PROBLEMS } from './documents.ts';
import { PAGE } from './page.ts';

const asManaged = queryOf(managedQuery, {
  managed: '`true`: the set is kept in git from now on, and every publish without this is refused.',
});

/** The configuration as a whole. */
export const configRoutes: readonly RouteSpec[] = [
  {
    method: 'post',
    path: '/config',
    id: 'publishConfig',
    tag: 'config',
    summary: 'Publish a whole set',
    description:
      'Replaces all documents. The set is checked as a whole, with the names and secrets that documents refer to; if anything is wrong, nothing changes. With `managed=true` a set that is in force already makes no new version.',
    query: [...dryRun, ...asManaged],
    headers: ifMatch,
    body: { schema: REQUEST_BODIES.set, examples: setExamples },
    answers: {
      200: { description: 'It is active, or could be.', schema: receipt, examples: publishedExamples },
    },
    problems: ['too-large', ...PUBLISH_PROBLEMS],
  },
  {
    method: 'get',
    path: '/config',
    id: 'exportConfig',
    tag: 'config',
    summary: 'Export the whole set',
    description: 'It can be published again as it is.',
    query: queryOf(exportQuery, { version: ['An earlier version; the one in force if left out.', 7] }),
    answers: {
      200: {
        description: 'All documents by their names.',
        schema: configSet,
        examples: setExamples,
        headers: { ...ETAG, 'Hookbell-Config-Version': 'The version of the set.' },
      },
    },
    problems: ['not-found', 'invalid'],
  },
  {
    method: 'get',
    path: '/config/versions',
    id: 'listVersions',
    tag: 'config',
    summary: 'List versions',
    query: queryOf(numberedQuery, PAGE),
    answers: { 200: { description: 'Newest first.', schema: versionPage, examples: versionExamples } },
    problems: ['invalid'],
  },
  {
    method: 'post',
    path: '/config/versions/{version}/activate',
    id: 'activateVersion',
    tag: 'config',
    summary: 'Put an earlier version in force again',
    description: 'It is checked again, since its secrets may be gone.',
    query: asManaged,
    headers: ifMatch,
    answers: {
      200: { description: 'It is active.', schema: activated, examples: activatedExamples },
    },
    problems: ['not-found', ...PUBLISH_PROBLEMS],
  },
  {
    method: 'post',
    path: '/config/takeover',
    id: 'takeOverConfig',
    tag: 'config',
    summary: 'Take over a configuration that is managed in git',
    description:
      'From now on people publish, until the next push with `managed=true`. The documents stay; the list of versions says who it was. 409 if the set is not managed.',
    body: { schema: REQUEST_BODIES.takeover, examples: takeoverExamples },
    answers: {
      200: {
        description: 'The configuration is taken over.',
        schema: takenOver,
        examples: takenOverExamples,
      },
    },
    problems: ['conflict', 'invalid'],
  },
  {
    method: 'get',
    path: '/config/files',
    id: 'readConfigFiles',
    tag: 'config',
    summary: 'Read the files of a configuration that is managed in git',
    description:
      'As the last push with `managed=true` sent them, for patches of them. None if it sent none, and after a takeover.',
    query: queryOf(filesQuery, {
      path: ['Only this one, with its text.', 'recipients/owners.yaml'],
    }),
    answers: { 200: { description: 'One file, or a list.', schema: keptFiles, examples: fileExamples } },
    problems: ['not-found', 'invalid'],
  },
];
