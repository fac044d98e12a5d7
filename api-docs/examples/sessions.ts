import type { Examples } from '../spec.ts';

const expires_at = '2026-02-01T13:58:12.031Z';
const ada = { actor: 'Ada', role: 'editor' } as const;

export const sessionExamples = {
  signIn: {
    token: { summary: 'By a token', value: { token: 'the-value-of-ADMIN_TOKEN', name: 'Ada' } },
    code: {
      summary: 'By a one-time code',
      value: { code: 'editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c' },
    },
    replace: {
      summary: 'By a code, in place of whoever is signed in',
      value: { code: 'editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c', replace: true },
    },
  },
  info: {
    session: { value: { ...ada, via: 'session', expires_at, sees_payloads: true } },
  },
  link: {
    link: {
      value: {
        code: 'editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c',
        url: 'https://hookbell.acme.workers.dev/admin#code=editor.ses_0hk7nd0gz3a9w4qk2v5x8e1r7t.1769912292031.5f3c',
        expires_at: '2026-02-01T02:08:12.031Z',
      },
    },
  },
  invite: {
    operator: { value: { name: 'Ben', role: 'operator' } },
  },
  invitation: {
    operator: {
      value: {
        code: 'operator.ses_0hk7nd0gz3a9w4qk2v5x8e1r7u.1770516692031.5f3c',
        url: 'https://hookbell.acme.workers.dev/admin#code=operator.ses_0hk7nd0gz3a9w4qk2v5x8e1r7u.1770516692031.5f3c',
        expires_at: '2026-02-08T01:58:12.031Z',
        session_until: '2026-03-03T01:58:12.031Z',
      },
    },
  },
  page: {
    one: {
      value: {
        items: [
          {
            id: 'ses_0hk7nd0gz3a9w4qk2v5x8e1r7t',
            ...ada,
            created_at: '2026-02-01T01:58:12.031Z',
            expires_at,
            seen_at: '2026-02-01T02:40:00.000Z',
            is_current: true,
            made_by: null,
            invited_by: null,
            is_pending: false,
            client: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          },
        ],
        next_cursor: null,
      },
    },
  },
} as const satisfies Record<string, Examples>;
