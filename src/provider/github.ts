import { jsonSample, type Provider } from './provider.ts';

const repository = {
  id: 35129377,
  name: 'shop',
  full_name: 'example/shop',
  private: false,
  html_url: 'https://github.com/example/shop',
  default_branch: 'main',
};
const sender = { login: 'ada', id: 6752317, type: 'User', html_url: 'https://github.com/ada' };

/** GitHub webhooks of repositories, organisations and apps. The type is the header's alone; `action` is the payload's. */
export const github: Provider = {
  id: 'github',
  name: 'GitHub',
  category: 'devops',
  docs_url: 'https://docs.github.com/en/webhooks',
  verify: {
    scheme: 'hmac',
    header: ['X-Hub-Signature-256'],
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256=',
    signed: '{raw_body}',
    secret_encoding: 'utf8',
  },
  event_type: ['header:X-GitHub-Event'],
  dedupe: ['header:X-GitHub-Delivery'],
  samples: [
    jsonSample(
      'push',
      {
        ref: 'refs/heads/main',
        before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        after: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
        created: false,
        deleted: false,
        forced: false,
        compare: 'https://github.com/example/shop/compare/6113728f27ae...0d1a26e67d8f',
        commits: [
          {
            id: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
            message: 'Round totals once, at the end',
            timestamp: '2026-01-05T09:12:33+01:00',
            url: 'https://github.com/example/shop/commit/0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
            author: { name: 'Ada Lovelace', email: 'ada@example.com', username: 'ada' },
            added: [],
            removed: [],
            modified: ['src/total.ts'],
          },
        ],
        pusher: { name: 'ada', email: 'ada@example.com' },
        repository,
        sender,
      },
      { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' },
    ),
    jsonSample(
      'issues opened',
      {
        action: 'opened',
        issue: {
          number: 1347,
          title: 'Totals are off by a cent',
          state: 'open',
          html_url: 'https://github.com/example/shop/issues/1347',
          body: 'Three items of 0.10 make 0.31.',
          labels: [{ name: 'bug', color: 'd73a4a' }],
          user: sender,
        },
        repository,
        sender,
      },
      { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': '8b1a4c60-ea2f-11f0-9d6b-0242ac120002' },
    ),
  ],
  routes: [
    {
      name: 'issue-opened',
      when: 'event.type == "issues" and payload.action == "opened"',
      to: 'team',
      send: {
        kind: 'text',
        message:
          '{{ payload.repository.full_name | bold }}: {{ payload.issue.title | plain }}\nby {{ payload.sender.login | plain }}\n{{ payload.issue.html_url }}',
      },
    },
    {
      name: 'pushed',
      when: 'event.type == "push" and payload.deleted == false',
      to: 'team',
      send: {
        kind: 'text',
        message:
          '{{ payload.pusher.name | plain }} pushed {{ payload.commits | size }} commit(s) to {{ payload.repository.full_name | bold }}\n{{ payload.compare }}',
      },
    },
  ],
};
