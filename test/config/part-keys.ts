import { KIND_NAMES, paramsOf, type MessageKind, type Parameter } from '../../src/gateway/kinds.ts';
import type { AnswerRule, AnswerShape, CallShape, HttpShape } from '../../src/gateway/shape.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { account, type Group, route, source, type Values } from './key-sets.ts';

type Groups = Readonly<Record<string, readonly Group[]>>;

const verified = (verify: object): Partial<ConfigSet> => source({ verify, secrets: ['SHOP_SECRET'] });

/** The keys of the schemes that sign a text made of pieces of the request. */
function signed(scheme: string, own: Group['keys'], content = '{raw_body}'): readonly Group[] {
  const withKeys =
    (base: object) =>
    (keys: object): Partial<ConfigSet> =>
      verified({ scheme, signed: content, ...base, ...keys });
  const header = 'X-Signature';
  const secret = content.replace('{raw_body}', '');
  return [
    {
      set: withKeys({ header }),
      keys: {
        header: [header, 'X-Other'],
        prefix: [undefined, 'v1='],
        list_separator: [undefined, ','],
        signed: [content, `v0:${content}`],
        unsigned_body: [undefined, true],
        require_headers: [undefined, { 'X-Version': '1' }],
        ...own,
      },
    },
    { set: withKeys({}), keys: { query: ['a', 'b'], field: ['a', 'b'] } },
    { set: withKeys({ header, prefix: 'v1=' }), keys: { prefix_optional: [undefined, true] } },
    {
      set: withKeys({ header, keys: ['v1'], key_value_separator: '=' }),
      keys: { keys: [['v1'], ['v0']], key_value_separator: ['=', ','] },
    },
    {
      set: withKeys({ header, signed: `${content}{url}` }),
      keys: {
        url: [undefined, 'https://hooks.example/'],
        url_form: [undefined, 'any_port'],
        body_hash_query: [undefined, 'bodySHA256'],
      },
    },
    { set: withKeys({ header, signed: `${secret}{body:id}` }), keys: { signed_once: [undefined, true] } },
    { set: withKeys({ field: 'sign', signed: `${secret}{item:id}` }), keys: { items: ['a', 'b'] } },
    {
      set: withKeys({ header, signed: `${content}{ts}` }),
      keys: { timestamp: [{ header: 'X-Time' }, { header: 'X-Other' }] },
    },
  ];
}

const OF_SECRETS = {
  secret_encoding: ['hex', 'base64'],
  strip_secret_prefixes: [undefined, ['whsec_']],
  secret_separator: [undefined, '|'],
} as const;

const verifiedBy =
  (base: object) =>
  (keys: object): Partial<ConfigSet> =>
    verified({ ...base, ...keys });

/** The time of a signature that has parameters besides. */
const signedAt =
  (base: object) =>
  (keys: object): Partial<ConfigSet> =>
    verified({
      scheme: 'hmac',
      header: 'X-Signature',
      list_separator: ',',
      key_value_separator: '=',
      keys: ['v1'],
      signed: '{ts}.{raw_body}',
      timestamp: { ...base, ...keys },
    });

const SCHEMES: Groups = {
  'verify.hmac': signed('hmac', {
    algorithm: ['sha1', 'sha512'],
    encoding: ['hex', 'base64'],
    ...OF_SECRETS,
  }),
  'verify.hash': signed(
    'hash',
    { algorithm: ['sha256', 'sha512'], encoding: ['hex', 'base64'], ...OF_SECRETS },
    '{secret}{raw_body}',
  ),
  'verify.ed25519': signed('ed25519', { encoding: ['hex', 'base64'], ...OF_SECRETS }),
  'verify.ecdsa': signed('ecdsa', { encoding: ['hex', 'base64'], signature_format: ['der', 'raw'] }),
  'verify.rsa': [
    {
      set: verifiedBy({ scheme: 'rsa', format: 'sns' }),
      keys: { format: ['sns', 'paypal'], tolerance: ['1m', '2m'] },
    },
  ],
  'verify.jwt': [
    {
      set: verifiedBy({ scheme: 'jwt', header: 'Authorization', prefix: 'Bearer ', unsigned_body: true }),
      keys: {
        header: ['Authorization', 'X-Token'],
        prefix: [undefined, 'JWT '],
        prefix_optional: [undefined, true],
        algorithm: ['HS256', 'HS512'],
        issuer: [undefined, 'shop'],
        audience: [undefined, 'hooks'],
        body_hash_claim: [undefined, 'body'],
        require_exp: [undefined, true],
        tolerance: ['1m', '2m'],
      },
    },
    {
      set: verifiedBy({ scheme: 'jwt', header: 'Authorization', body_hash_claim: 'body' }),
      keys: { unsigned_body: [undefined, true] },
    },
  ],
  'verify.oidc': [
    {
      set: (keys) =>
        source({ verify: { scheme: 'oidc', issuer: 'google', email: 'a@b', audience: 'c', ...keys } }),
      keys: { email: ['one@shop.example', 'other@shop.example'], audience: ['one', 'other'] },
    },
  ],
  'verify.token': [
    {
      set: verifiedBy({ scheme: 'token', in: 'header', name: 'Authorization', prefix: 'Bearer ' }),
      keys: {
        in: ['header', 'query'],
        name: ['Authorization', 'X-Token'],
        prefix: ['Bearer ', 'Token '],
        prefix_optional: [undefined, true],
      },
    },
    { set: verifiedBy({ scheme: 'token', in: 'body', name: 'token' }), keys: { items: [undefined, 'list'] } },
  ],
  'verify.any': [
    {
      set: verifiedBy({ scheme: 'any' }),
      keys: {
        of: [
          [{ scheme: 'basic' }, { scheme: 'token', in: 'path' }],
          [{ scheme: 'basic' }, { scheme: 'token', in: 'query', name: 'key' }],
        ],
      },
    },
  ],
  'verify.timestamp': [
    {
      set: signedAt({ header: 'X-Time' }),
      keys: { header: ['X-Time', 'X-Other'], unit: ['s', 'ms'], tolerance: ['1m', '2m'] },
    },
    { set: signedAt({}), keys: { signature_param: ['t', 'time'], body: ['a', 'b'] } },
  ],
};

const TWO_VALUES: Readonly<Record<Parameter['holds'], Values>> = {
  text: ['one', 'other'],
  line: ['one', 'other'],
  url: ['https://one.example/', 'https://other.example/'],
  list: [
    ['one', 'two'],
    ['one', 'other'],
  ],
};

const paramKeys = (kind: MessageKind): Group['keys'] =>
  Object.fromEntries(paramsOf(kind).map(([name, { holds }]) => [name, TWO_VALUES[holds]]));

/** A message with the parameters that it must have. */
const messageOf = (kind: MessageKind): object => ({
  kind,
  ...Object.fromEntries(
    paramsOf(kind).flatMap(([name, { holds, isOptional }]) =>
      isOptional === true ? [] : [[name, TWO_VALUES[holds][0]]],
    ),
  ),
});

/** A route whose messages have receivers if their kind has. */
const sending = (kind: MessageKind, send: object): Partial<ConfigSet> =>
  kind === 'status' ? route({ to: undefined, send }) : route({ send });

const TEMPLATES: Groups = Object.fromEntries(
  KIND_NAMES.map((kind) => [
    `template.${kind}`,
    [
      {
        set: (keys) => sending(kind, { ...messageOf(kind), ...keys }),
        keys: { ...paramKeys(kind), fallback: [undefined, [messageOf(kind)]] },
      } satisfies Group,
    ],
  ]),
);

const FALLBACKS: Groups = Object.fromEntries(
  KIND_NAMES.map((kind) => {
    const set = (keys: object): Partial<ConfigSet> => ({
      ...sending(kind, { ...messageOf(kind), fallback: [{ ...messageOf(kind), ...keys }] }),
      accounts: { sales: {} },
    });
    return [
      `fallback.${kind}`,
      [
        { set, keys: { ...paramKeys(kind), account: [undefined, 'sales'] } },
        { set: (keys) => set({ account: 'sales', ...keys }), keys: { after: [undefined, '10m'] } },
      ] satisfies Group[],
    ];
  }),
);

/** A key of a declared gateway has to be in its compiled form, too. */
type KeysOf<Shape> = Partial<Record<keyof Shape, Values>>;

const CALL = { path: '/send', json: { text: '{message}' } };
const http = (keys: object): Partial<ConfigSet> =>
  account({
    gateway: 'http',
    base_url: 'https://sms.example',
    http: { kinds: { text: CALL }, receiver: 'phone', answer: { sent: { field: 'id' } }, ...keys },
  });
const answering = (answer: object): Partial<ConfigSet> =>
  http({ answer: { sent: { field: 'id' }, ...answer } });

const GATEWAYS: Groups = {
  http: [
    {
      set: http,
      keys: {
        secrets: [undefined, ['TOKEN']],
        optional_secrets: [undefined, ['TOKEN']],
        receiver: ['phone', { address: '[a-z]+', what: 'topic' }],
        headers: [undefined, { 'X-Id': '{id}' }],
        basic: [undefined, ['me', 'pass']],
        format: ['chat', 'plain'],
        max_length: [1, 2],
        max_bytes: [16, 17],
        kinds: [{ text: CALL }, { text: { ...CALL, path: '/other' } }],
        answer: [{ sent: { field: 'id' } }, { sent: { field: 'ok' } }],
      } satisfies KeysOf<HttpShape>,
    },
  ],
  'http.receiver': [
    {
      set: (receiver) => http({ receiver: { address: '[a-z]+', what: 'topic', ...receiver } }),
      keys: { address: ['[a-z]+', '[0-9]+'], what: ['topic', 'chat'] } satisfies KeysOf<
        Exclude<HttpShape['receiver'], 'phone'>
      >,
    },
  ],
  'http.kinds': [
    {
      set: (kinds) => http({ kinds: { text: CALL, ...kinds } }),
      keys: Object.fromEntries(
        KIND_NAMES.map((kind) => {
          const call = { path: '/send', form: { to: '{id}' } };
          return [kind, [call, { ...call, path: '/other' }]];
        }),
      ),
    },
  ],
  'http.call': [
    {
      set: (keys) => http({ kinds: { text: { ...CALL, ...keys } } }),
      keys: {
        method: ['POST', 'PUT'],
        path: ['/one', '/other'],
        json: ['{message}', ['{message}']],
        limits: [undefined, { message: 10 }],
      } satisfies KeysOf<CallShape>,
    },
    {
      set: (keys) => http({ kinds: { text: { path: '/send', ...keys } } }),
      keys: { form: [{ text: '{message}' }, { body: '{message}' }] } satisfies KeysOf<CallShape>,
    },
  ],
  answer: [
    {
      set: answering,
      keys: {
        sent: [{ field: 'id' }, { matches: 'OK' }],
        refused: [undefined, { field: 'error' }],
        reason: [undefined, ['error']],
        retry_after: [undefined, 'wait'],
        rules: [undefined, [{ means: 'busy', status: [400] }]],
      } satisfies KeysOf<AnswerShape>,
    },
  ],
  'answer.sent': [
    {
      set: (sent) => answering({ sent: { field: 'id', ...sent } }),
      keys: { field: ['id', 'ok'], is: [undefined, ['ok']] },
    },
    { set: (sent) => answering({ sent }), keys: { matches: ['OK', 'SENT'] } },
  ],
  'answer.rule': [
    {
      set: (rule) => answering({ rules: [{ means: 'busy', ...rule }] }),
      keys: {
        status: [[400], [401]],
        field: ['error', 'code'],
        is: [[1], [2]],
        matches: ['busy', 'wait'],
        means: ['busy', 'refused'],
        say: [undefined, 'Wait.'],
      } satisfies KeysOf<AnswerRule>,
    },
  ],
};

/** The keys of schemes, of kinds of message, and of a gateway that a document declares: see `keys.test.ts`. */
export const PART_GROUPS: Groups = { ...SCHEMES, ...TEMPLATES, ...FALLBACKS, ...GATEWAYS };
