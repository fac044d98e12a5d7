// @ts-check
// The page's script: draws what `/_control/events` sends. All of it is a stranger's data, so everything is set as
// text or as an attribute of a known element; nothing is ever parsed as markup.

/** @typedef {import('../bubble.ts').Bubble} Bubble */
/** @typedef {import('../bubble.ts').Chat} Chat */
/** @typedef {import('../bubble.ts').BubbleContent} BubbleContent */
/** @typedef {import('../../shared/phone/content.ts').Part} Part */
/** @typedef {import('../../shared/phone/chat-text.ts').Span} Span */
/** @typedef {{ total: number, accepted: number, delivered: number }} Totals */

/** The number of calls that the stream sends at first. */
const MAX_BUBBLES = 500;
/** This close to its end (px) a conversation is followed: new bubbles scroll into view. */
const FOLLOWING = 80;
/** Below this width there is space for the list or a conversation, not both; the style has the same width. */
const NARROW = matchMedia('(max-width: 720px)');

/** @type {Bubble[]} */
let bubbles = [];
/** @type {Map<string, number>} Per conversation, the newest id that somebody has looked at. */
const seen = new Map();
/** Key of the conversation that is drawn, and the newest bubble in it. */
let drawn = { key: '', id: 0 };
let scheduled = false;
/** @type {HTMLElement | null} */
let column = null;
let lastDay = '';

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string | null)} children
 */
function el(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** @param {string} id */
function icon(id) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', `icon icon-${id}`);
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#${id}`);
  svg.append(use);
  return svg;
}

/** @param {string} href @param {string} className @param {...(Node | string | null)} children */
function link(href, className, ...children) {
  const anchor = el('a', className, ...children);
  // The gateway takes http(s) only, and so does this page.
  if (/^https?:\/\//i.test(href)) anchor.href = href;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  return anchor;
}

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}

/** @param {Chat} chat */
function avatar(chat) {
  const icons = { phone: 'person', status: 'status', unknown: 'alert' };
  const element = el('span', `avatar avatar-${chat.type}`, icon(icons[chat.type]));
  element.style.setProperty('--hue', String(chat.hue));
  return element;
}

/** @param {readonly Span[]} spans */
function richText(spans) {
  const element = el('div', 'text');
  element.dir = 'auto';
  for (const { href, marks, text } of spans) {
    const classes = marks.map((mark) => `mark-${mark}`).join(' ');
    element.append(href === undefined ? el('span', classes, text) : link(href, classes, text));
  }
  return element;
}

/** @param {string} text @param {string} className @param {'div' | 'span' | 'li'} [tag] */
function line(text, className, tag = 'div') {
  const element = el(tag, className, text);
  element.dir = 'auto';
  return element;
}

/** @param {BubbleContent} content @returns {Node[]} */
function drawContent(content) {
  if (content.kind === 'refused') return [line(content.endpoint, 'endpoint'), line(content.detail, 'text')];
  return content.parts.map(drawPart);
}

/** @param {Part} part @returns {Node} */
function drawPart(part) {
  if (part.is === 'text') return richText(part.spans);
  if (part.is === 'poll') return drawPoll(part.question, part.options);
  if (part.is === 'card') return drawLinkCard(part);
  return part.is === 'image' ? drawImage(part.url) : drawVoice(part.url);
}

/** @param {string} url */
function drawImage(url) {
  const image = document.createElement('img');
  image.alt = '';
  image.referrerPolicy = 'no-referrer';
  image.loading = 'lazy';
  const frame = link(url, 'photo', image);
  image.addEventListener('error', () => frame.replaceChildren('Picture cannot be loaded: ', url));
  image.src = url;
  return frame;
}

/** @param {string} url */
function drawVoice(url) {
  const audio = document.createElement('audio');
  audio.controls = true;
  // Nothing is fetched before somebody wants to hear it.
  audio.preload = 'none';
  audio.src = url;
  return audio;
}

/** @param {string} question @param {readonly string[]} options */
function drawPoll(question, options) {
  const rows = options.map((option) => line(option, '', 'li'));
  return el('div', 'poll', line(question, 'title'), el('ul', '', ...rows));
}

/** @param {Extract<Part, { is: 'card' }>} card */
function drawLinkCard({ url, host, title, description }) {
  return link(url, 'card', line(title || host, 'title'), line(description, ''), line(url, 'note'));
}

/** @param {string} at @param {Intl.DateTimeFormatOptions} options */
function formatTime(at, options) {
  return new Date(at).toLocaleString([], options);
}

/** @param {string} at */
function clock(at) {
  return formatTime(at, { hour: '2-digit', minute: '2-digit' });
}

/** @param {Bubble} bubble */
function drawBubble(bubble) {
  const { content, trouble, delivered } = bubble;
  const time = el('time', 'time', clock(bubble.at), delivered ? icon('ticks') : null);
  time.title = `${formatTime(bubble.at, { dateStyle: 'medium', timeStyle: 'medium' })} · call ${bubble.id}`;
  const element = el('article', `bubble bubble-${content.kind}`, ...drawContent(content), time);
  if (!delivered) element.classList.add('bubble-lost');
  if (trouble === null) return el('div', 'row', element);
  const badge = el('span', `badge ${delivered ? 'badge-delivered' : 'badge-lost'}`, icon('alert'), trouble);
  badge.title = delivered ? 'The phone got it, but the sender may not know' : 'The phone did not get it';
  const verdict = el('div', 'verdict', badge, delivered ? 'delivered all the same' : 'not delivered');
  return el('div', 'row', element, verdict);
}

/** @param {HTMLElement} target @param {readonly Bubble[]} added */
function appendBubbles(target, added) {
  for (const bubble of added) {
    const day = formatTime(bubble.at, { dateStyle: 'long' });
    if (day !== lastDay) {
      const today = formatTime(new Date().toISOString(), { dateStyle: 'long' });
      target.append(el('div', 'day', day === today ? 'Today' : day));
    }
    lastDay = day;
    target.append(drawBubble(bubble));
    drawn.id = bubble.id;
  }
}

/** @param {Chat} chat @param {number} count */
function drawChatHead(chat, count) {
  const back = el('a', 'back', icon('back'));
  back.href = '#';
  back.ariaLabel = 'All conversations';
  const kinds = {
    phone: 'on this phone',
    status: 'in the status of all contacts',
    unknown: 'that named no receiver',
  };
  const noun = chat.type === 'unknown' ? 'call' : 'message';
  const note = el('p', 'chat-note', `${count} ${noun}${count === 1 ? '' : 's'} ${kinds[chat.type]}`);
  return el('header', 'chat-head', back, avatar(chat), el('div', 'grow', el('h2', '', chat.label), note));
}

/** @param {string} key */
function drawConversation(key) {
  const own = bubbles.filter(({ chat }) => chat.key === key);
  const newest = own.at(-1);
  const main = byId('main');
  if (!newest) {
    drawn = { key: '', id: 0 };
    column = null;
    const choose = () => el('div', 'empty', el('p', '', 'Choose a conversation.'));
    main.replaceChildren(bubbles.length === 0 ? drawEmptyState() : choose());
    return;
  }
  seen.set(key, newest.id);
  const head = drawChatHead(newest.chat, own.length);
  const stream = main.querySelector('.stream');
  if (drawn.key === key && column && stream) {
    const follow = stream.scrollHeight - stream.scrollTop - stream.clientHeight < FOLLOWING;
    main.querySelector('.chat-head')?.replaceWith(head);
    const added = own.filter(({ id }) => id > drawn.id);
    appendBubbles(column, added);
    if (follow) stream.scrollTop = stream.scrollHeight;
    return;
  }
  drawn = { key, id: 0 };
  lastDay = '';
  column = el('div', 'column');
  column.role = 'log';
  const scroller = el('div', 'stream', column);
  main.replaceChildren(head, scroller, el('footer', 'foot', 'A simulated phone: nothing is really sent.'));
  appendBubbles(column, own);
  scroller.scrollTop = scroller.scrollHeight;
}

function drawEmptyState() {
  const base = `${location.origin}/api`;
  const example = [
    `curl ${base}/send-message.php \\`,
    '  -d email=me@example.com -d api_key=test \\',
    '  -d phone=4915112345678 \\',
    "  --data-urlencode 'message=*Hello* phone'",
  ].join('\n');
  return el(
    'div',
    'empty',
    el('span', 'logo logo-large', icon('bell')),
    el('h2', '', 'No messages yet'),
    el(
      'p',
      '',
      'Point hookbell at this simulator and post a webhook. Its messages appear here as on a phone.',
    ),
    el('pre', '', `GATEWAY_BASE_URL=${base}`),
    el('p', '', 'Or call the gateway yourself:'),
    el('pre', '', example),
  );
}

/** The newest bubble of each conversation, newest first. */
function newestPerChat() {
  const newest = new Map(bubbles.map((bubble) => [bubble.chat.key, bubble]));
  return [...newest.values()].sort((a, b) => b.id - a.id);
}

/** @type {ReadonlyMap<string, string>} */
const KIND_ICONS = new Map([
  ['image', 'photo'],
  ['voice', 'mic'],
  ['poll', 'poll'],
  ['link-preview', 'link'],
  ['refused', 'alert'],
]);

/** @param {Bubble} bubble @param {string} selected */
function drawChatRow({ chat, at, preview, content, trouble, delivered }, selected) {
  const kindIcon = KIND_ICONS.get(content.kind);
  const lastSeen = seen.get(chat.key) ?? 0;
  const unseen = bubbles.filter((one) => one.chat.key === chat.key && one.id > lastSeen).length;
  const head = el('div', 'chat-line', el('strong', '', chat.label), el('time', '', clock(at)));
  const sign = kindIcon === undefined ? null : icon(kindIcon);
  const words = el('span', 'preview', sign, line(preview, '', 'span'));
  const badge = el('span', `dot ${delivered ? 'badge-delivered' : 'badge-lost'}`, trouble);
  const news = el('span', 'unseen', String(unseen));
  const isNew = unseen > 0 && chat.key !== selected;
  // A refused call has nothing to preview: its badge says what is wrong.
  const left = content.kind === 'refused' ? null : words;
  const foot = el('div', 'chat-line', left, trouble === null ? null : badge, isNew ? news : null);
  const row = el('a', 'chat', avatar(chat), el('div', 'chat-words', head, foot));
  row.href = `#${chat.key}`;
  if (chat.key === selected) row.ariaCurrent = 'true';
  return row;
}

function draw() {
  scheduled = false;
  const wanted = location.hash.slice(1);
  const chosen = bubbles.some(({ chat }) => chat.key === wanted) ? wanted : '';
  document.body.classList.toggle('chat-open', chosen !== '');
  // A wide screen always shows a conversation: the one that was open, or else the newest. A phone may show the list.
  const kept = bubbles.some(({ chat }) => chat.key === drawn.key)
    ? drawn.key
    : (newestPerChat()[0]?.chat.key ?? '');
  const selected = chosen === '' && NARROW.matches ? '' : chosen || kept;
  drawConversation(selected);
  byId('chats').replaceChildren(...newestPerChat().map((bubble) => drawChatRow(bubble, selected)));
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(draw);
}

/** @param {Totals} totals */
function showTotals({ total, delivered }) {
  byId('totals').replaceChildren(`${total} call${total === 1 ? '' : 's'}, ${delivered} delivered`);
}

/** @param {string} state */
function showConnection(state) {
  byId('live').replaceChildren(state);
  byId('live').classList.toggle('live-on', state === 'live');
}

/**
 * @param {MessageEvent} event
 * @returns {{ totals: Totals, bubble?: Bubble }}
 */
function read({ data }) {
  /** @type {unknown} */
  const value = JSON.parse(String(data));
  if (isUpdate(value)) return value;
  throw new Error('The stream sent something other than an update');
}

/** @param {unknown} value @returns {value is { totals: Totals, bubble?: Bubble }} */
function isUpdate(value) {
  return typeof value === 'object' && value !== null && 'totals' in value;
}

const events = new EventSource('/_control/events');
events.addEventListener('open', () => showConnection('live'));
events.addEventListener('error', () => showConnection('reconnecting'));
events.addEventListener('reset', (event) => {
  bubbles = [];
  drawn = { key: drawn.key, id: 0 };
  column = null;
  showTotals(read(event).totals);
  schedule();
});
events.addEventListener('bubble', (event) => {
  const { bubble, totals } = read(event);
  if (bubble) bubbles.push(bubble);
  if (bubbles.length > MAX_BUBBLES) bubbles.shift();
  showTotals(totals);
  schedule();
});

addEventListener('hashchange', schedule);
NARROW.addEventListener('change', schedule);
byId('clear').addEventListener('click', () => {
  fetch('/_control/calls', { method: 'DELETE' }).catch(() => showConnection('not reachable'));
});
schedule();
