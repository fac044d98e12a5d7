import { fieldNames } from '../../gateway/http.ts';
import { MESSAGE_KINDS, isMessageKind, PHONES, type ReceiverRule } from '../../gateway/kinds.ts';
import {
  V2,
  type CallShape,
  type GatewaySpec,
  type HttpShape,
  type JsonTemplate,
  findMaker,
} from '../../gateway/shape.ts';
import type { AccountDocument } from '../documents/account-schema.ts';
import type { Report } from '../documents/issues.ts';

type GatewayKeys = Pick<AccountDocument, 'gateway' | 'base_url' | 'options' | 'http'>;

/** The gateway that an account's document describes. Does not check the values: {@link checkGateway} does. */
export function gatewaySpec({ gateway = 'v2', base_url, options = {}, http }: GatewayKeys): GatewaySpec {
  if (gateway === 'v2') return V2;
  const baseUrl = base_url?.replace(/\/$/, '') ?? null;
  if (gateway === 'http') return { maker: gateway, baseUrl, options: {}, http: http ?? null };
  const known = Object.entries(findMaker(gateway)?.options ?? {});
  // Words stand for the texts of a field.
  const filled = known.flatMap(([name, { words, standard }]) => {
    const value = options[name] ?? standard;
    return value === undefined ? [] : [[name, words?.[value] ?? value] as const];
  });
  return { maker: gateway, baseUrl, options: Object.fromEntries(filled), http: null };
}

/** The shape of a gateway; null for `v2`, and for a maker that this release does not know. */
export const shapeOf = ({ maker, http }: GatewaySpec): HttpShape | null =>
  http ?? (maker === V2.maker ? undefined : findMaker(maker)?.shape) ?? null;

export function receiverRule(spec: GatewaySpec): ReceiverRule {
  const receiver = shapeOf(spec)?.receiver ?? 'phone';
  if (receiver === 'phone') return PHONES;
  return { pattern: new RegExp(receiver.address, 'u'), what: `a ${receiver.what}` };
}

const SAYS = {
  onlyHttp: 'is only for `gateway: http`',
  noShape: 'is required: how a message becomes a request',
  notV2: 'is only for other gateways: this one’s address is GATEWAY_BASE_URL',
  body: 'needs exactly one of `json` and `form`: the body of the request',
};

export function checkGateway(document: GatewayKeys, report: Report): void {
  const { gateway = 'v2', base_url: baseUrl, options: given = {}, http } = document;
  const maker = findMaker(gateway);
  if (http !== undefined && gateway !== 'http') report('.http', 'misplaced', SAYS.onlyHttp);
  if (http === undefined && gateway === 'http') report('.http', 'required', SAYS.noShape);
  if (http !== undefined && gateway === 'http')
    checkShape(http, (path, ...fault) => report(`.http${path}`, ...fault));
  if (gateway === 'v2' && baseUrl !== undefined) report('.base_url', 'misplaced', SAYS.notV2);
  const needed = `is required: the address of your ${maker?.name ?? 'gateway'}, such as https://chat.example.com`;
  if (gateway !== 'v2' && baseUrl === undefined && (maker?.baseUrl ?? null) === null)
    report('.base_url', 'required', needed);
  const known = maker?.options ?? {};
  const names = Object.keys(known).join(', ');
  const which = names === '' ? `: \`gateway: ${gateway}\` has none` : `; known ones: ${names}`;
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name)) report(`.options.${name}`, 'unknown-name', `is not an option${which}`);
  for (const [name, { pattern, words, what, standard }] of Object.entries(known)) {
    const value = given[name] ?? standard;
    if (value === undefined) report(`.options.${name}`, 'required', `is required: ${what}`);
    else if (words === undefined ? !new RegExp(pattern ?? '', 'u').test(value) : !Object.hasOwn(words, value))
      report(`.options.${name}`, 'malformed', `must be ${what}`);
  }
}

export function checkShape(shape: HttpShape, report: Report, options: readonly string[] = []): void {
  const { secrets = [], optional_secrets: optional = [] } = shape;
  const named = [...secrets, ...optional].map((name) => `secret.${name}`);
  const always = ['id', ...named, ...options.map((name) => `option.${name}`)];
  const check = (path: string, text: string, known: readonly string[]): void => {
    const list = known.map((one) => `{${one}}`).join(', ');
    for (const name of fieldNames(text).filter((one) => !known.includes(one)))
      report(path, 'unknown-name', `has an unknown field \`{${name}}\`; known ones: ${list}`);
  };
  for (const [name, text] of Object.entries(shape.headers ?? {})) {
    if (!/^[\w-]{1,64}$/.test(name)) report(`.headers.${name}`, 'malformed', 'is not a header name');
    check(`.headers.${name}`, text, always);
  }
  for (const [at, text] of (shape.basic ?? []).entries()) check(`.basic[${at}]`, text, always);
  for (const [kind, call] of Object.entries<CallShape | undefined>(shape.kinds)) {
    if (call === undefined || !isMessageKind(kind)) continue;
    const path = `.kinds.${kind}`;
    const { hasReceiver, params } = MESSAGE_KINDS[kind];
    const known = [...(hasReceiver ? ['to'] : []), ...Object.keys(params), ...always];
    if ((call.json === undefined) === (call.form === undefined)) report(path, 'conflict', SAYS.body);
    check(`${path}.path`, call.path, known);
    for (const [name, text] of Object.entries(call.form ?? {})) check(`${path}.form.${name}`, text, known);
    for (const text of textsIn(call.json ?? '')) check(`${path}.json`, text, [...known, 'option']);
    for (const name of Object.keys(call.limits ?? {}))
      if (!Object.hasOwn(params, name) && name !== 'option')
        report(`${path}.limits.${name}`, 'misplaced', `is not a parameter of \`${kind}\``);
  }
}

const textsIn = (tree: JsonTemplate): readonly string[] =>
  typeof tree === 'string' ? [tree] : typeof tree === 'object' ? Object.values(tree).flatMap(textsIn) : [];

/** True if an account's gateway cannot send a status in any way: it has no receiver, so it has no stand-in. */
export const lacksStatus = (spec: GatewaySpec): boolean => {
  const shape = shapeOf(spec);
  return shape !== null && shape.kinds.status === undefined;
};

export const gatewayName = ({ maker }: GatewaySpec): string =>
  findMaker(maker)?.name ?? (maker === 'v2' ? 'the gateway' : 'this gateway');
