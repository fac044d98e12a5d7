import { KIND_NAMES, MESSAGE_KINDS, type MessageKind } from '../../src/gateway/kinds.ts';
import { findMaker, GATEWAYS, MAKERS } from '../../src/gateway/makers/makers.ts';
import type { AnswerShape, Maker } from '../../src/gateway/shape.ts';
import { code, table, type Sections } from './page.ts';

const number = (value: number): string => value.toLocaleString('en');

const SHOWN_TWICE = 'a repeated call is shown twice';

export const gatewaySections = (): Sections => ({
  'which gateway': table(
    ['`gateway:`', 'receivers', 'costs', 'needs'],
    [
      ...GATEWAYS.map(({ id, costs, needs }) => [code(id), receiversOf(id), costs, needs]),
      ['`http`', 'numbers, addresses', '', 'anything with an HTTP API: [declare it](own-gateway.md)'],
    ],
  ),
  'settings of gateways': table(
    ['`gateway:`', 'secrets, after `GATEWAY_` or `GATEWAY_<ACCOUNT>_`', 'in the document'],
    [
      ['`v2`', '`EMAIL`, `API_KEY`, optionally `APP_KEY`', 'nothing; the address is `GATEWAY_BASE_URL`'],
      ...MAKERS.map((maker) => [code(maker.id), secretsOf(maker), settingsOf(maker)]),
    ],
  ),
  'kinds of gateways': table(
    ['`gateway:`', ...KIND_NAMES.map((kind) => kind.replace('-', ' '))],
    [
      ['`v2`', ...KIND_NAMES.map(() => 'yes')],
      ...MAKERS.map((maker) => [code(maker.id), ...KIND_NAMES.map((kind) => hasKind(maker, kind))]),
    ],
  ),
});

export const guaranteeSections = (): Sections => ({
  'repeated calls': table(
    ['`gateway:`', 'proof that a message was sent', 'if a call is repeated after its response was lost'],
    [
      ['`v2`', '`success: true`, and no other `data.status_code` than 200', SHOWN_TWICE],
      ...MAKERS.map(({ id, shape, repeats = SHOWN_TWICE }) => [code(id), proofIn(shape.answer), repeats]),
      [
        '`http`',
        'the `answer.sent` of its document',
        'shown once if the document gives the gateway `{id}` and the gateway recognises repeats by it; otherwise twice',
      ],
    ],
  ),
});

function receiversOf(id: string): string {
  const receiver = findMaker(id)?.shape.receiver ?? 'phone';
  return receiver === 'phone' ? 'phone numbers' : `${receiver.what}s`;
}

const listed = (needed: readonly string[], optional: readonly string[]): string =>
  [
    ...(needed.length > 0 ? [needed.join(', ')] : []),
    ...(optional.length > 0 ? [`optionally ${optional.join(', ')}`] : []),
  ].join(', ');

const secretsOf = ({ shape: { secrets = [], optional_secrets: optional = [] } }: Maker): string =>
  listed(secrets.map(code), optional.map(code));

function settingsOf({ baseUrl, options = {} }: Maker): string {
  const names = (isNeeded: boolean): readonly string[] =>
    Object.entries(options)
      .filter(([, { standard }]) => (standard === undefined) === isNeeded)
      .map(
        ([name, { words }]) =>
          code(`options.${name}`) + (words === undefined ? '' : ` (${Object.keys(words).join(' or ')})`),
      );
  return listed([...(baseUrl === null ? ['`base_url`'] : []), ...names(true)], names(false));
}

function hasKind({ shape, options = {} }: Maker, kind: MessageKind): string {
  const { kinds, max_bytes: bytes, max_length: length } = shape;
  if (kind === 'text')
    return bytes === undefined ? (length === undefined ? 'yes' : number(length)) : `${number(bytes)} bytes`;
  const call = kinds[kind];
  if (call === undefined) return MESSAGE_KINDS[kind].hasReceiver ? 'text' : '';
  const [only] = Object.entries(call.only ?? {});
  if (only === undefined) return 'yes';
  const [name, value] = only;
  const word = Object.entries(options[name]?.words ?? {}).find(([, fills]) => fills === value)?.[0] ?? value;
  return `with \`${name}: ${word}\``;
}

const proofIn = ({ sent }: AnswerShape): string =>
  'matches' in sent
    ? `a text that matches ${code(sent.matches)}`
    : code(sent.is === undefined ? sent.field : `${sent.field}: ${sent.is.join(' or ')}`);
