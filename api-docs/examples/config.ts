import type { Examples } from '../spec.ts';
import { exampleSet } from './documents.ts';

const warnings = [
  {
    path: 'sources.forms.verify',
    code: 'unsafe',
    message: 'anybody who knows the address can send to this source',
  },
];

export const publishedExamples: Examples = {
  published: { summary: 'It is active', value: { version: 8, warnings: [] } },
  checked: { summary: 'With `dry_run=true`', value: { dry_run: true, warnings } },
};

export const activatedExamples: Examples = { activated: { value: { version: 7, warnings: [] } } };

export const setExamples: Examples = { set: { value: exampleSet } };

export const versionExamples: Examples = {
  page: {
    value: {
      items: [
        {
          version: 8,
          published_at: '2026-11-21T07:38:18.714Z',
          by: 'token',
          note: 'put sources/shop',
          active: true,
        },
        {
          version: 7,
          published_at: '2026-11-20T16:02:41.090Z',
          by: 'ada@example.com',
          note: 'replace the whole set',
          active: false,
        },
      ],
      next_cursor: '7',
      managed: { by: 'token', at: '2026-11-20T16:02:41.090Z' },
      taken_over: null,
    },
  },
};

export const takeoverExamples: Examples = { takeover: { value: { name: 'Ann' } } };

export const takenOverExamples: Examples = {
  taken: { value: { managed: null, version: 9, warnings: [] } },
};

export const fileExamples: Examples = {
  file: {
    summary: 'With `path`',
    value: { path: 'recipients/owners.yaml', text: "numbers:\n  - '4915112345678' # Ada\n" },
  },
  all: {
    summary: 'All of them',
    value: { items: [{ path: 'recipients/owners.yaml', bytes: 38 }], next_cursor: null },
  },
};

const SPAM = {
  n: 18,
  at: '2026-11-21T07:40:02.110Z',
  source: 'contact',
  status: 200,
  code: 'spam',
  detail: 'honeypot: the field `website`, which people do not see, was filled in',
  spam: 'honeypot',
};

export const rejectionExamples: Examples = {
  page: {
    value: {
      items: [
        SPAM,
        {
          n: 17,
          at: '2026-11-21T07:38:18.714Z',
          source: 'shop',
          status: 401,
          code: 'stale',
          detail: 'signature parameter t is 912 s old; 300 s are allowed',
          remedy: 'Check the sender’s clock. Old requests that are sent again are refused, too',
          from: '192.0.2.1, which calls itself "Shop/2.1"',
        },
      ],
      next_cursor: null,
    },
  },
};

export const spamExamples: Examples = {
  spam: { value: { ...SPAM, body: { name: 'Ada', message: 'Do you deliver?' } } },
};

export const releasedExamples: Examples = {
  released: {
    value: {
      event: 'evt_01ky1k2w7f8gq3v5m2n9c4t6xr',
      rejection: 18,
      duplicate: false,
      messages: ['msg_000000001hc2xq7d'],
    },
  },
};
