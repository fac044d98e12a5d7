import { expect, it } from 'vitest';
import german from '../../../assets/actions/de.json';
import texts from '../../../assets/actions/en.json';
import { linkContent, pageResponse } from '../../../src/ingest/press.ts';
import { START } from '../../outbox/support.ts';
import { view } from './view.ts';

const words = { locale: { country: undefined, locale: 'en', timezone: 'UTC' }, texts };
const TOKENS = ['0123456789abcdefghjkmnpq', '0123456789abcdefghjkmnpr'] as const;
const own = [
  { token: TOKENS[0], label: 'Yes, ship it' },
  { token: TOKENS[1], label: 'No' },
  { token: '0123456789abcdefghjkmnpt', label: '4 h stummschalten' },
];
const quoteOf = (params: Record<string, string>) =>
  linkContent(view({ params, own }), { kind: 'open' }, words).quote;
const [YES, NO] = [`https://r.example/a/${TOKENS[0]}`, `http://r.example:8787/relay/a/${TOKENS[1]}`];

const policyOf = (state: Parameters<typeof linkContent>[1]) =>
  pageResponse(linkContent(view(), state, words), words.texts).headers.get('content-security-policy');

/** The page of a receiver who has opted out. */
const pageOf = (canStart: boolean) =>
  linkContent(view(), { kind: 'stopped', at: new Date(START).toISOString(), canStart }, words);

/** The first line on the page of an incident that somebody has. */
const takenLine = (by: string, one = texts) =>
  linkContent(view(), { kind: 'taken', by, at: new Date(START).toISOString() }, { ...words, texts: one })
    .lines[0];

it('the page of a link shows what the message said, without its own links and their labels, and with everything else', () => {
  const bank = 'DE12 https://x.example/a/… https://r.example/a/0123456789abcdefghjkmnps http://r.example/a/x';
  for (const [message, quote] of [
    [`May we?\n\nYes: ${YES}\nNo: ${NO}\n\nThanks`, 'May we?\n\nThanks'],
    [`May we? ${YES}`, 'May we?'],
    [`May we?\n4 Stunden stummschalten: ${YES}`, 'May we?'],
    [`Yes: ${YES}`, 'Yes:'],
    [`Pay 5 EUR to ${bank}\n\nYes: ${YES}`, `Pay 5 EUR to ${bank}`],
    [`Pay 5 EUR to DE12: ${YES}\nNo: ${NO}`, 'Pay 5 EUR to DE12:'],
    [`Pay ${bank}${YES} or ${NO} or ${YES}.`, `Pay ${bank} or  or .`],
  ] as const)
    expect(quoteOf({ message }), message).toBe(quote);
});

it.each([
  [
    '🔥 *Disk <b>* is _really_ ~not~ `full`',
    '🔥 <b>Disk &lt;b&gt;</b> is <i>really</i> <s>not</s> <code>full</code>',
  ],
  [
    '*_both_* snake_case_name 2*3*4 \u2060*\u2060no\u2060*\u2060',
    '<b><i>both</i></b> snake_case_name 2*3*4 *no*',
  ],
  ['https://x.example/_a_ *open', 'https://x.example/_a_ *open'],
])('the page of a link shows %s as a phone does', async (message, html) => {
  const page = await pageResponse(
    linkContent(view({ params: { message } }), { kind: 'open' }, words),
    texts,
  ).text();
  expect(page).toContain(`<blockquote>${html}</blockquote>`);
});

it('the page of a link names its sender, where its provider has a name for it', () => {
  for (const [id, name, title] of [
    ['alertmanager', 'Alertmanager', 'From Alertmanager'],
    ['generic', 'x', 'From shop'],
  ] as const)
    expect(linkContent(view(), { kind: 'open' }, words, { id, name }).title).toBe(title);
});

it('the page of a link shows the words of every kind, and no address of a picture or a sound', () => {
  expect(quoteOf({ image_url: 'https://x.example/1.png', caption: 'A picture' })).toBe('A picture');
  expect(quoteOf({ question: 'Which?', options: 'a\nb' })).toBe('Which?\n\na\nb');
  expect(quoteOf({ url: 'https://x.example', text: 'Look', title: 'T' })).toBe('Look\n\nT');
  expect(quoteOf({ audio_url: 'https://x.example/1.ogg' })).toBe('');
});

it('the page of a link names who pressed, or hides most of their number', () => {
  const pressed = { event: 'evt_1', at: START, action: 'no', label: 'No', message: 'msg_2' };
  const lineOf = (by: { phone: string | null; name?: string }) =>
    linkContent(
      view(),
      { kind: 'pressed', pressed: { ...pressed, by }, isOwn: false, canTakeBack: false },
      words,
    ).lines[0];
  expect(lineOf({ phone: '4915112345678', name: 'Anna' })).toMatch(/^Anna pressed “No” on /);
  expect(lineOf({ phone: '4915112345678' })).toMatch(/^\+4915•••••78 pressed “No” on /);
  expect(lineOf({ phone: null })).toMatch(/^Somebody pressed/);
});

it('the page of a link of an incident that somebody has names the person, but no token', () => {
  expect(takenLine('Ben Müller')).toMatch(/^Ben Müller took it over on /);
  expect(takenLine('4915112345678')).toMatch(/^\+4915•••••78 took it over on /);
  for (const by of ['token', 'operator', 'viewer', 'service:ci.access']) {
    expect(takenLine(by)).toMatch(/^Somebody took it over on /);
    expect(takenLine(by, german)).toMatch(/^Jemand kümmert sich darum, seit /);
  }
});

it('the page of a link of somebody who has opted out shows no text, and a button only if it may', () => {
  expect(pageOf(true)).toMatchObject({ title: 'No more messages', button: { query: '?start' } });
  expect(pageOf(true).quote).toBeUndefined();
  expect(pageOf(false).button).toBeUndefined();
});

it('the page of a link posts to itself alone, where it has a button', () => {
  expect(policyOf({ kind: 'open' })).toContain("form-action 'self'");
  expect(policyOf({ kind: 'expired' })).toContain("form-action 'none'");
});
