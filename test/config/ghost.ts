type Documents = Readonly<Partial<Record<'providers' | 'sources', Readonly<Record<string, object>>>>>;

/** A provider's file as a user would write it, with a sample that is signed with the key beside it. */
export const GHOST = {
  name: 'Ghost',
  verify: {
    scheme: 'hmac',
    header: 'X-Ghost-Signature',
    keys: ['sha256'],
    signed: '{raw_body}{ts}',
    timestamp: { key: 't', unit: 'ms' },
  },
  event: { id: '{{ payload.id }}', type: '{{ payload.type }}' },
  setup: ['Add a webhook with the address of the source.'],
  samples: {
    published: {
      secret: 'an-invented-key',
      headers: {
        'x-ghost-signature':
          'sha256=cc6b933ed30d7811124eaa9e93e71b3e1ead6b93c036f5d8c7c9c865b1cf16b7, t=1767600000000',
      },
      body: { id: 7, type: 'post.published' },
    },
  },
};

const published = GHOST.samples.published;
const ghost = (change: object): Documents => ({ providers: { gazette: { ...GHOST, ...change } } });
const sample = (change: object) => ghost({ samples: { published: { ...published, ...change } } });
const handshake = (proof: object, text: unknown) => ({
  handshakes: [{ match: { method: 'GET', where: [] }, proof, respond: { status: 200, body: { text } } }],
});
const handshakeAt = (where: object, respond: object = {}) =>
  ghost({
    handshakes: [
      {
        match: { method: 'GET', where: [{ at: 'query:token', ...where }] },
        proof: { by: 'nothing' },
        respond: { status: 200, ...respond },
      },
    ],
  });
const routed = (message: string, change: object = {}) =>
  ghost({ routes: [{ name: 'all', to: 'team', send: { kind: 'text', message } }], ...change });
const blog = (change: object, file: object = {}): Documents => ({
  ...ghost(file),
  sources: { blog: { provider: 'gazette', ...change } },
});
const secrets = ['GHOST_SECRET'];
const SECRET = handshake({ by: 'secret', at: 'query:token' }, 'ok');
const HMAC = handshake({ by: 'nothing' }, { hmac: 'query:token', encoding: 'hex' });
const NONE = { verify: { scheme: 'none' } };

/** Wrong files and sources, each with its only error: where, and the beginning of what is said. */
export const WRONG: readonly (readonly [set: Documents, path: string, message: string])[] = [
  [ghost({ verfy: {} }), 'providers.gazette.verfy', 'unknown key `verfy`; did you mean `verify`?'],
  [
    ghost({ verify: { scheme: 'hmca' } }),
    'providers.gazette.verify.scheme',
    'must have a `scheme`, one of hmac, hash, ed25519, ecdsa, rsa, jwt, basic, token, oidc, any, none; did you mean `hmac`?',
  ],
  [ghost({ samples: undefined }), 'providers.gazette.samples', 'is required'],
  [
    sample({ body: undefined }),
    'providers.gazette.samples.published.body',
    'is required: what the sender posts',
  ],
  [
    sample({ headers: { 'no name': 'x' } }),
    'providers.gazette.samples.published.headers',
    'must have names of headers',
  ],
  [sample({ headers: { x: 'a\nb' } }), 'providers.gazette.samples.published.headers.x', 'must be one line'],
  [ghost({ exponents: { EURO: 2 } }), 'providers.gazette.exponents', 'must have currencies as its keys'],
  [
    ghost({ asks: { site: { question: 'Which?', example: 'a', pattern: '((' } } }),
    'providers.gazette.asks.site.pattern',
    'must be a regular expression',
  ],
  [
    handshakeAt({ equal: 'x' }),
    'providers.gazette.handshakes[0].match.where[0].equal',
    'unknown key `equal`; did you mean `equals`?',
  ],
  [
    handshakeAt({}, { body: 'OK' }),
    'providers.gazette.handshakes[0].respond.body',
    'must be `{ text: … }` or `{ json: { … } }`',
  ],
  [
    handshakeAt({ equals: 'x', absent: true }),
    'providers.gazette.handshakes[0].match.where[0]',
    'has both `equals` and `absent`',
  ],
  [
    routed('{{ payload.x | moneyy }}'),
    'providers.gazette.routes[0].send.message',
    'unknown filter "moneyy" (did you mean "money"?)',
  ],
  [
    routed('[[paied]]', { texts: { paid: 'Paid' } }),
    'providers.gazette.routes',
    'has `[[paied]]`, and there is no text `paied`; did you mean `paid`?',
  ],
  [
    routed('Hi', { de: { routes: { all: '{{ payload.x ' } } }),
    'providers.gazette.de',
    'in routes[0].send.message: ',
  ],
  [
    routed('Hi', { customers: { al: 'all' } }),
    'providers.gazette.customers.al',
    'there is no route `al`; did you mean `all`?',
  ],
  [
    ghost({ source: { dedupe: { window: '3y' } } }),
    'providers.gazette.source.dedupe.window',
    '`3y` is not a duration',
  ],
  [ghost({ setup: undefined }), 'providers.gazette.setup', 'is required: a list of steps'],
  [ghost({ samples: {} }), 'providers.gazette.samples', 'must have at least one: what the sender posts'],
  [ghost({ words: ['x'.repeat(65)] }), 'providers.gazette.words[0]', 'must have at most 64 characters'],
  [ghost({ note: 'x'.repeat(1_000_000) }), 'providers.gazette', 'has 1000'],
  [
    ghost({ event: { subject: '{{ nothing }}' } }),
    'providers.gazette.event.subject',
    'unknown name "nothing"',
  ],
  [
    sample({ body: '{"id":', content_type: 'application/json' }),
    'providers.gazette.samples.published.body',
    "is refused by the file's own facts: The body is not valid JSON",
  ],
  [
    ghost({ event: { type: '{{ payload.kind }}' } }),
    'providers.gazette.samples.published',
    'has nothing where `event.type` looks: change one of the two',
  ],
  [
    ghost({ event: { id: '{{ headers.x-id }}' } }),
    'providers.gazette.samples.published',
    'has nothing where `event.id` looks',
  ],
  [
    ghost({ event: { items: { at: 'payload.posts', id: '{{ item.id }}' } } }),
    'providers.gazette.samples.published',
    'has nothing where `event.items` looks',
  ],
  [
    sample({ secret: 'another-key' }),
    'providers.gazette.samples.published.secret',
    'does not fit the signature: ',
  ],
  [
    ghost({ verify: undefined }),
    'providers.gazette.samples.published.secret',
    'has no effect: the file has no `verify`',
  ],
  [
    blog({ provider: 'gazete', secrets }),
    'sources.blog.provider',
    'there is no provider `gazete`; did you mean `gazette`?',
  ],
  [
    blog({ secrets, ...SECRET }),
    'sources.blog.handshake',
    'is missing: Ghost cannot confirm the address without it',
  ],
  [
    blog({ secrets }, SECRET),
    'sources.blog.handshake',
    'is missing: Ghost cannot confirm the address without it',
  ],
  [
    blog({ ...NONE, ...HMAC }),
    'sources.blog.secrets',
    'must name at least one secret: a handshake is answered',
  ],
  [blog({ ...NONE }, HMAC), 'sources.blog.secrets', 'must name at least one secret: a handshake is answered'],
  [
    blog({ secrets, answer: 200, answers: { accepted: 204 } }),
    'sources.blog.answer',
    'is short for `answers: { accepted: 200 }`: give one of them',
  ],
];
