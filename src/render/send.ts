import type { Action, Send, SendParam } from '../config/compiled/config.ts';
import { joinPollOptions, whyTooLarge } from '../gateway/kinds.ts';
import { namesItsHost, httpUrl, whyNotPublic } from '../lib/url.ts';
import { err, ok, type Result } from '../lib/result.ts';
import type { Fault } from '../lib/problem.ts';
import { splitText } from '../lib/text.ts';
import { describeFailure } from '../template/basics/budget.ts';
import type { Locale } from '../template/basics/locale.ts';
import type { Scope } from '../template/basics/scope.ts';
import { renderText } from '../template/text.ts';
import { failure, placeOf, type RouteFailure } from './failure.ts';
import { type SendParams, standInsOf, truncateAround } from './links.ts';

/** More pieces than anybody reads; it also bounds the work of splitting. */
export const MAX_PIECES = 100;

/** Of a poll's options together (UTF-16 units): each may have `max_length`, and all must fit into one row. */
const MAX_OPTIONS_LENGTH = 65_536;

/** The facts of a route that a send needs: its name, and the maximum length of a text (UTF-16 units). */
export interface Fit {
  readonly name: string;
  readonly maxLength: number;
  readonly overflow: 'truncate' | 'split' | 'fail';
  /** The links that its receivers can press; absent: none. */
  readonly actions?: readonly Action[];
  /** The place of the send in its template, before the names of its parameters; absent: the send is the template. */
  readonly within?: string;
}

/** The form fields of a send: one set, or several if the text was split; or else the failures. */
export function renderSend(
  route: Fit,
  send: Pick<Send, 'params'>,
  scope: Scope,
  locale: Locale,
): Result<readonly SendParams[], readonly RouteFailure[]> {
  const failures: RouteFailure[] = [];
  const params: Record<string, string> = {};
  const place = placeOf(route, scope);
  let pieces: readonly SendParams[] | null = null;
  for (const param of send.params) {
    // Only one parameter can continue in a further message; a second one that is too long is cut.
    const fit = pieces !== null && route.overflow === 'split' ? cutting(route) : route;
    const value = renderParam(fit, param, scope, locale);
    if (!value.ok) {
      const name = (route.within ?? '') + param.name;
      const source = param.texts.map((text) => text.source).join(' · ');
      const [code, why] = value.error;
      failures.push(failure(place, name, source, why, code));
      continue;
    }
    const [first, ...more] = value.value;
    if (more.length > 0) pieces = value.value.map((text) => ({ [param.name]: text }));
    else if (first) params[param.name] = first;
  }
  if (failures.length > 0) return err(failures);
  const sets = pieces === null ? [params] : pieces.map((piece) => ({ ...params, ...piece }));
  const tooLarge = sets.map(whyTooLarge).find((why) => why !== null);
  return tooLarge === undefined ? ok(sets) : err([failure(place, 'send', '', tooLarge, 'too-long')]);
}

/** Returns one parameter's value, in pieces if it had to be split. An empty optional one is left out. */
function renderParam(
  route: Fit,
  param: SendParam,
  scope: Scope,
  locale: Locale,
): Result<readonly string[], Fault> {
  const texts: string[] = [];
  for (const text of param.texts) {
    const rendered = renderText(text, scope, locale);
    if (!rendered.ok) return err(['template', rendered.error]);
    texts.push(rendered.value);
  }
  if (param.holds === 'list') return joined(texts, route, scope);
  const text = texts[0] ?? '';
  if (text.trim() === '')
    return param.isOptional === true ? ok([]) : err(['required', 'is empty, and the gateway requires it']);
  if (param.holds !== 'url') return fitted(text, route, scope);
  const isOwners = namesItsHost(param.texts[0]?.source ?? '') || standInsOf(scope).includes(text.trim());
  return linkIn(text, isOwners);
}

function joined(texts: readonly string[], route: Fit, scope: Scope): Result<readonly string[], Fault> {
  const options: string[] = [];
  for (const text of texts) {
    const option = fitted(text.trim(), route.overflow === 'split' ? cutting(route) : route, scope);
    if (!option.ok) return option;
    options.push(...option.value);
  }
  const list = joinPollOptions(options);
  if (!list.ok) return err(['malformed', list.error]);
  const { length } = list.value;
  return length <= MAX_OPTIONS_LENGTH
    ? ok([list.value])
    : tooLong(`has ${length} characters in total, more than ${MAX_OPTIONS_LENGTH}`);
}

/** `isOwners`: a person wrote the host into the document, and may know why it is not public. */
function linkIn(text: string, isOwners: boolean): Result<readonly string[], Fault> {
  const url = httpUrl(text);
  if (!url.ok) return err(['malformed', url.error]);
  const checked = [url.value.href];
  if (isOwners) return ok(checked);
  if (url.value.username !== '' || url.value.password !== '')
    return err(['unsafe', 'has a user name or a password, which a link from a payload must not have']);
  const why = whyNotPublic(url.value.hostname);
  return why === null ? ok(checked) : err(['unsafe', `${why}: a link from a payload must lead to one`]);
}

export const cutting = (route: Fit): Fit => ({ ...route, overflow: 'truncate' });

const NO_SPACE = 'has links, for which `max_length` is too short';

const tooLong = (message: string) => err<Fault>(['too-long', message]);

/** Cuts, splits or refuses a text that is too long, as its route says. Lengths in UTF-16 units. */
function fitted(text: string, { maxLength, overflow }: Fit, scope: Scope): Result<readonly string[], Fault> {
  const { length } = text;
  if (length <= maxLength) return ok([text]);
  if (overflow === 'fail')
    return tooLong(`has ${length} characters, but the route's \`max_length\` is ${maxLength}`);
  const links = standInsOf(scope);
  if (overflow === 'truncate') {
    const cut = truncateAround(text, maxLength, links);
    return cut === null ? tooLong(NO_SPACE) : ok([cut]);
  }
  if (length > maxLength * MAX_PIECES)
    return tooLong(
      `has ${length} characters: more than ${MAX_PIECES} pieces of ${maxLength} (\`max_length\`)`,
    );
  try {
    scope.budget?.work(length * WORK_PER_SPLIT);
  } catch (spent) {
    return tooLong(`${describeFailure(spent)} (\`overflow: split\`)`);
  }
  const pieces = splitText(text, maxLength);
  const isWhole = (link: string): boolean => pieces.some((piece) => piece.includes(link));
  return links.every((link) => !text.includes(link) || isWhole(link)) ? ok(pieces) : tooLong(NO_SPACE);
}

/** Finding where graphemes end takes about a hundred times as long as reading a character. */
const WORK_PER_SPLIT = 100;
