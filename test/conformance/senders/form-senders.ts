import { createHmac } from 'node:crypto';
import { hmacSender, namedHash, renamed } from './hmac-sender.ts';
import { TEXT } from './keys.ts';
import { type Sender, withHeader } from './sender.ts';

const META = 'X-Hub-Signature-256';

const second = hmacSender('docusign', {
  variant: 'second key',
  header: 'X-DocuSign-Signature-2',
  encoding: 'base64',
  otherHash: 'mismatch',
  // The first header has a signature, though not by a key of this source.
  reasons: { missing: 'mismatch', empty: 'mismatch', doubled: 'mismatch', 'too long': 'mismatch' },
});

/** Docusign signs with each key of the account and sends every signature, one header a key. */
const docusignSecond: Sender = {
  ...second,
  send: async (draft, signing) => {
    const first = createHmac('sha256', TEXT.stranger).update(draft.body).digest('base64');
    return second.send(withHeader(draft, 'X-DocuSign-Signature-1', first), signing);
  },
};

/** A browser, which posts what its visitor wrote. */
const htmlForm: Sender = {
  provider: 'html-form',
  keys: { name: 'NONE', secrets: [], signers: [], stranger: '', isPublic: true },
  send: async (draft) => draft,
  proof: { in: 'nothing' },
  covers: { body: { open: 'a page cannot keep a secret' } },
  otherAlgorithms: [],
};

/** Bookings, contracts and leads. */
export const formSenders: readonly Sender[] = [
  htmlForm,
  hmacSender('acuity', { header: 'X-Acuity-Signature', encoding: 'base64' }),
  hmacSender('docusign', { header: 'X-DocuSign-Signature-1', encoding: 'base64' }),
  docusignSecond,
  hmacSender('meta-lead-ads', {
    header: META,
    prefix: 'sha256=',
    otherAlgorithms: [
      namedHash(META, 'sha1'),
      namedHash(META, 'sha512'),
      renamed(META, 'sha256=', 'sha1=', 'malformed'),
    ],
  }),
];
