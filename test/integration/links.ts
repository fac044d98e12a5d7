import { exports } from 'cloudflare:workers';
import { event, listOf, textsTo, type EventJson } from './relay.ts';

const LINK = /https?:\/\/\S+\/a\/[0-9a-z]{24}/g;

/** All links that a phone got, oldest first, as they stand in its messages. */
export const allLinksTo = async (phone: string): Promise<readonly string[]> =>
  (await textsTo(phone)).flatMap((words) => words.match(LINK) ?? []);

/** The links of the newest message with any that a phone got; throws where there is none yet. */
export async function linksTo(phone: string): Promise<readonly [string, ...string[]]> {
  const found = (await textsTo(phone)).map((words) => words.match(LINK) ?? []);
  const [first, ...more] = found.findLast(({ length }) => length > 0) ?? [];
  if (first === undefined) throw new Error(`${phone} got no link`);
  return [first, ...more];
}

/** Opens a link; `POST` presses the button of its page. */
export const open = (link: string, method = 'GET', headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(link, { method, headers, redirect: 'manual' });

interface Page {
  readonly status: number;
  readonly html: string;
}
export async function look(link: string): Promise<Page> {
  const response = await open(link);
  return { status: response.status, html: await response.text() };
}
export const pageOf = async (link: string): Promise<string> => (await look(link)).html;

/** Presses as a browser does: the button, then the page that the answer names. */
export async function press(link: string): Promise<Page> {
  const pressed = await open(link, 'POST');
  const to = pressed.headers.get('location');
  return to === null ? { status: pressed.status, html: await pressed.text() } : look(new URL(to, link).href);
}

/** The events of presses of which this is a part, oldest first. */
export async function presses(source: string, part: string): Promise<readonly EventJson[]> {
  const all = await listOf<EventJson>(`/events?source=${source}&limit=200`);
  const made = all.filter(({ type }) => type?.startsWith('action.'));
  const read = await Promise.all(made.map(({ id }) => event(id)));
  return read.filter(({ payload }) => JSON.stringify(payload).includes(part)).toReversed();
}
