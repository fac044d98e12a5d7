import { decode, encode } from './senders/bytes.ts';
import { editForm, editJson } from './senders/json.ts';
import {
  headerOf,
  isForm,
  type Proof,
  type Sender,
  type Webhook,
  withHeader,
  withQuery,
} from './senders/sender.ts';

/** The last character whose lowest bit makes a digit another digit, or a letter another letter: in hex if it can be. */
export function flipText(text: string): string {
  const hex = text.search(/[0-9b-eB-E][^0-9b-eB-E]*$/);
  const at = hex >= 0 ? hex : text.search(/[f-yF-Y][^f-yF-Y]*$/);
  if (at < 0) throw new Error('nothing to flip');
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}

/** A signature with its last bit another; a text with one of its last character. */
export const flipSignature =
  (encoding: Sender['encoding']) =>
  (signature: string): string => {
    if (encoding === undefined) return flipText(signature);
    const bytes = decode(signature, encoding);
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    return encode(bytes, encoding);
  };

/** Words whose letters may change: not what JSON is made of, and not a name that a scheme looks for. */
const WORD = /[a-z]{4,}/g;
const KEPT = /^(true|false|null|imestamp|webhook)$/;

const placesOf = (body: string): readonly number[] =>
  [...body.matchAll(WORD)].filter(([word]) => !KEPT.test(word)).map(({ index }) => index);

export const hasWords = (body: string): boolean => placesOf(body).length > 0;

/** The body with one bit of a word changed: in the first, the middle and the last. */
export function flipBody(body: string): readonly string[] {
  const places = placesOf(body);
  const chosen = [places[0], places[Math.floor(places.length / 2)], places.at(-1)];
  return [...new Set(chosen)].map((place) => {
    if (place === undefined) throw new Error('no word in the body');
    const word = body.slice(place, place + 4);
    return body.slice(0, place) + flipText(word) + body.slice(place + 4);
  });
}

/** One bit of what stands at a path of the JSON, or in a field of the form. */
export const flipField = (webhook: Webhook, path: string): Webhook => ({
  ...webhook,
  body: isForm(webhook)
    ? editForm(webhook.body, path, flipText)
    : editJson(webhook.body, path, (value) =>
        typeof value === 'number' ? value ^ 1 : flipText(String(value)),
      ),
});

export const flipHeader = (webhook: Webhook, name: string): Webhook =>
  withHeader(webhook, name, flipText(headerOf(webhook, name) ?? ''));

/** The proof twice. HTTP makes one text of two headers of one name. */
export function doubleProof(webhook: Webhook, proof: Proof): Webhook {
  const { url, body } = webhook;
  if (proof.in === 'query')
    return { ...webhook, url: `${url}&${proof.name}=${new URL(url).searchParams.get(proof.name)}` };
  if (proof.in === 'body')
    return { ...webhook, body: `${body}&${proof.path}=${new URLSearchParams(body).get(proof.path)}` };
  return editProof(webhook, proof, (text) => `${text}, ${text}`);
}

/** The webhook with the text of its proof changed; null removes the text. */
export function editProof(webhook: Webhook, proof: Proof, change: (text: string) => string | null): Webhook {
  const { url } = webhook;
  switch (proof.in) {
    case 'header':
      return withHeader(webhook, proof.name, change(headerOf(webhook, proof.name) ?? ''));
    case 'body':
      return { ...webhook, body: editBody(webhook, proof, (text) => change(text) ?? undefined) };
    case 'query':
      return withQuery(webhook, proof.name, change(new URL(url).searchParams.get(proof.name) ?? ''));
    case 'nothing':
      return webhook;
    case 'path':
      return {
        ...webhook,
        url: url.replace(/\/([^/?]+)(?=\?|$)/, (_, token) => withSlash(change(String(token)))),
      };
  }
}

function editBody(
  webhook: Webhook,
  { path, field }: Extract<Proof, { in: 'body' }>,
  change: (text: string) => string | undefined,
): string {
  if (path === '') return change(webhook.body) ?? '';
  const inJson = (body: string): string => editJson(body, path, (value) => change(String(value)));
  if (field !== undefined) return editForm(webhook.body, field, inJson);
  return isForm(webhook) ? editForm(webhook.body, path, change) : inJson(webhook.body);
}

const withSlash = (segment: string | null): string => (segment === null ? '' : `/${segment}`);
