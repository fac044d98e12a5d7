import { hmacSender, namedHash, renamed } from './hmac-sender.ts';
import type { Sender } from './sender.ts';
import { headerToken } from './token-senders.ts';

/** Senders of what teams work with: issues, pull requests, builds. */
export const devopsSenders: readonly Sender[] = [
  hmacSender('jira', {
    header: 'X-Hub-Signature',
    prefix: 'sha256=',
    otherAlgorithms: [
      namedHash('X-Hub-Signature', 'sha1'),
      namedHash('X-Hub-Signature', 'sha512'),
      renamed('X-Hub-Signature', 'sha256=', 'sha1=', 'malformed'),
    ],
  }),
  hmacSender('gitea', { header: 'X-Gitea-Signature' }),
  hmacSender('forgejo', { header: 'X-Forgejo-Signature' }),
  hmacSender('circleci', {
    header: 'circleci-signature',
    write: (signatures) => signatures.map((one) => `v1=${one}`).join(),
    lists: true,
    otherAlgorithms: [
      renamed('circleci-signature', 'v1=', 'v0=', 'unknown_key'),
      renamed('circleci-signature', 'v1=', 'v2=', 'unknown_key'),
    ],
    reasons: { doubled: null },
  }),
  hmacSender('buildkite', {
    header: 'X-Buildkite-Signature',
    content: ({ draft, time }) => `${time}.${draft.body}`,
    write: (signatures, time) => [`timestamp=${time}`, ...signatures.map((one) => `signature=${one}`)].join(),
    lists: true,
    time: { in: 'signature', name: 'timestamp', unit: 's', late: 300 },
  }),
  headerToken('buildkite', 'X-Buildkite-Token', { variant: 'token' }),
];
