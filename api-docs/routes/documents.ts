import type { DocumentKind } from '../../src/config/documents/name.ts';
import { type Examples, prose, type ApiParameter, PAGE } from '../spec.ts';
import * as z from 'zod';
import {
  documents,
  receipt,
  configSet,
  keptFiles,
  takenOver,
  activated,
  provider,
  providerPage,
} from '../../src/admin/config/api-config.ts';
import { accountStatus, accountStatusPage } from '../../src/answers/api-status.ts';
import { versionPage } from '../../src/answers/api-registry.ts';

const shop = {
  provider: 'stripe',
  secrets: ['STRIPE_WEBHOOK_SECRET'],
  country: 'DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  routes: [
    {
      name: 'paid',
      when: 'event.type == "checkout.session.completed"',
      to: '{{ payload.data.object.customer_details.phone }}',
      template: 'order-paid',
    },
    {
      name: 'notify-the-owners',
      when: 'event.type == "checkout.session.completed"',
      to: ['owners', '4930123456'],
      send: { kind: 'text', message: 'New order {{ payload.data.object.id }}' },
    },
  ],
};

const own = {
  verify: {
    scheme: 'hmac',
    header: 'X-Signature',
    prefix: 'sha256=',
    signed: '{ts}.{raw_body}',
    timestamp: { header: 'X-Timestamp', tolerance: '5m' },
  },
  secrets: ['SHOP_WEBHOOK_SECRET'],
  dedupe: { key: '{{ payload.order.id }}', window: '7d' },
  routes: [
    {
      name: 'paid',
      to: '4915112345678',
      send: { kind: 'text', message: 'Order {{ payload.order.id }}' },
      expires: '2h',
    },
  ],
};

const orderPaid = {
  kind: 'text',
  message:
    'Thanks {{ payload.data.object.customer_details.name | default: "a lot" | plain }}!\nWe got *{{ payload.data.object.amount_total | money: payload.data.object.currency }}*.',
};

const poll = {
  kind: 'poll',
  question: 'How was your stay, {{ payload.guest.name }}?',
  options: ['Lovely', 'All right', 'Not so good'],
};

const owners = { numbers: ['4915112345678', '4915187654321'] };

const account = {
  rate: { per_minute: 60, burst: 10 },
  per_recipient: { per_hour: 20 },
  retry: ['5s', '30s', '5m', '1h'],
  notify: { url: 'https://hooks.slack.com/services/{secret}', secret: 'NOTIFY_SLACK_PATH' },
};

const maintenance = {
  when: 'event.source == "alerts" and item.labels.env == "staging"',
  every: { days: ['sun'], from: '02:00', to: '04:00', timezone: 'Europe/Berlin' },
  reason: 'updates of the staging servers',
};

const ghost = {
  name: 'Ghost',
  verify: {
    scheme: 'hmac',
    header: 'X-Ghost-Signature',
    list_separator: ',',
    key_value_separator: '=',
    keys: ['sha256'],
    signed: '{raw_body}{ts}',
    timestamp: { key: 't', unit: 'ms' },
  },
  event: { type: '{{ payload.type }}', subject: '{{ payload.post.current.title }}' },
  setup: ['Open **Settings** → **Integrations**, and add a webhook with the address of the source.'],
  samples: {
    published: { body: { type: 'post.published', post: { current: { title: 'Ten years of us' } } } },
  },
};

const documentExamples: Readonly<Record<DocumentKind, Examples>> = {
  sources: {
    provider: { summary: 'A source of a provider that hookbell knows', value: shop },
    own: { summary: 'A system that signs its webhooks in its own way', value: own },
  },
  templates: { text: { summary: 'A text', value: orderPaid }, poll: { summary: 'A poll', value: poll } },
  recipients: { owners: { value: owners } },
  accounts: { faster: { summary: 'Only what differs from the defaults', value: account } },
  silences: { maintenance: { value: maintenance } },
  providers: { ghost: { value: ghost } },
};

export const exampleSet = {
  sources: { shop },
  templates: { 'order-paid': orderPaid },
  recipients: { owners },
  accounts: { default: account },
  silences: { maintenance },
  providers: { ghost },
};

/** A document of each kind in words, and the name of its name. */
const WORDS = {
  sources: ['source', 'a source', 'id'],
  templates: ['template', 'a template', 'name'],
  recipients: ['recipients list', 'a recipients list', 'name'],
  silences: ['silence', 'a silence', 'id'],
  accounts: ['account', 'an account', 'name'],
  providers: ['provider', 'a provider', 'id'],
} as const satisfies Record<DocumentKind, unknown>;

export const ETAG = { ETag: 'The active version, for `If-Match`.' };

export const ifMatch: readonly ApiParameter[] = [
  {
    name: 'If-Match',
    schema: z.string().optional(),
    description:
      'Only if this version is active: an `ETag` from this API, so that two people who publish at once do not overwrite each other.',
    example: '"7"',
  },
];

export const dryRun = {
  dry_run: '`true`: only check, and change nothing.',
  note: 'A note for the list of versions, on one line.',
} as const;

export const PUBLISH_PROBLEMS = [
  'invalid-if-match',
  'managed',
  'precondition-failed',
  'invalid-configuration',
] as const;

const PUBLISHED = {
  description: 'The new set is active. With `dry_run=true`, it is valid, and nothing changed.',
  schema: receipt,
};

export function documentProse(kind: DocumentKind) {
  const [one, a, key] = WORDS[kind];
  return {
    list: {
      summary: `List all ${kind}`,
      description: `All of them at once: \`next_cursor\` is always null.`,
      answer: { description: `Each ${one} with its ${key}.`, schema: documents[kind].page, headers: ETAG },
    },
    read: {
      summary: `Read ${a}`,
      answer: { description: 'The document as it was written.', schema: documents[kind].one, headers: ETAG },
    },
    write: {
      summary: `Write ${a}`,
      description: `Publishes a version with this document, which replaces an earlier one with the same ${key}. The whole set is checked; if anything is wrong, nothing changes.`,
      query: dryRun,
      headers: ifMatch,
      body: { examples: documentExamples[kind] },
      answer: PUBLISHED,
      problems: ['too-large', ...PUBLISH_PROBLEMS],
    },
    remove: {
      summary: `Delete ${a}`,
      description: 'Publishes a version without the document. Earlier versions keep it.',
      query: dryRun,
      headers: ifMatch,
      answer: PUBLISHED,
      problems: [...(kind === 'sources' ? [] : ['in-use' as const]), ...PUBLISH_PROBLEMS],
    },
  } as const;
}

const sources = documentProse('sources');
const templates = documentProse('templates');
const recipients = documentProse('recipients');
const accounts = documentProse('accounts');
const providers = documentProse('providers');

export const sourcesProse = prose('sources', {
  listSources: sources.list,
  getSource: sources.read,
  putSource: sources.write,
  deleteSource: sources.remove,
});

export const templatesProse = prose('templates', {
  listTemplates: templates.list,
  getTemplate: templates.read,
  putTemplate: templates.write,
  deleteTemplate: templates.remove,
});

export const recipientsProse = prose('recipients', {
  listRecipientsLists: recipients.list,
  getRecipients: recipients.read,
  putRecipients: recipients.write,
  deleteRecipients: recipients.remove,
});

export const accountProse = prose('accounts', {
  listAccounts: accounts.list,
  getAccount: accounts.read,
  putAccount: accounts.write,
  deleteAccount: accounts.remove,
  listAccountStatus: {
    summary: 'Read the status of every account',
    answer: { description: 'All configured accounts, in one page.', schema: accountStatusPage },
  },
  getAccountStatus: {
    summary: "Read an account's status",
    answer: { description: 'Its status.', schema: accountStatus },
  },
  pauseAccount: {
    summary: 'Pause an account',
    description: 'Its messages remain queued, and webhooks are accepted as before.',
    answer: { description: 'Its new status.', schema: accountStatus },
  },
  resumeAccount: {
    summary: 'Resume an account',
    description: 'Ends a pause, including one that the gateway caused by refusing the login.',
    answer: { description: 'Its new status.', schema: accountStatus },
  },
});

export const providerProse = prose('providers', {
  listProviders: {
    summary: 'List providers',
    description:
      'Those of this configuration first, then those that are built in. All of them at once: `next_cursor` is always null.',
    answer: { description: 'All providers.', schema: providerPage },
  },
  getProvider: {
    summary: 'Read a provider',
    query: {
      locale: [
        'The `locale` of the source. Texts are in its language if there are any, else in English.',
        'de-DE',
      ],
    },
    answer: { description: 'Its signature scheme, samples and starter routes.', schema: provider },
  },
  putProvider: providers.write,
  deleteProvider: providers.remove,
});

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
      examples: { set: { value: exampleSet } },
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
    problems: [...PUBLISH_PROBLEMS],
  },
  takeOverConfig: {
    summary: 'Take over a configuration that is managed in git',
    description:
      'Lets people publish until the next push with `managed=true`. The documents do not change; the list of versions shows `name`. 409 if the configuration is not managed.',
    body: {
      name: 'Takeover',
      about: 'The person who takes over a configuration that is managed in git.',
      keys: { name: 'The name of the person, for the list of versions.' },
      examples: { takeover: { value: { name: 'Ann' } } },
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
