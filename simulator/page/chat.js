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

/* ---------------------------------------------------------------- elements */

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

/** @param {readonly Span[]} spans @param {string} className */
function richText(spans, className) {
  const element = el('div', className);
  element.dir = 'auto';
  for (const span of spans) {
    const classes = span.marks.map((mark) => `mark-${mark}`).join(' ');
    element.append(
      span.href === undefined ? el('span', classes, span.text) : link(span.href, classes, span.text),
    );
  }
  return element;
}

/** @param {string} text @param {string} className @param {'div' | 'span'} [tag] */
function line(text, className, tag = 'div') {
  const element = el(tag, className, text);
  element.dir = 'auto';
  return element;
}

/* ------------------------------------------------------- the parts of bubbles */

/** @param {BubbleContent} content @returns {Node[]} */
function drawContent(content) {
  if (content.kind === 'refused') return [line(content.endpoint, 'endpoint'), line(content.detail, 'text')];
  const { kind, parts } = content;
  return parts.flatMap((part) => drawPart(part, { isStory: kind === 'status', isAlone: parts.length === 1 }));
}

/** @param {Part} part @param {{ isStory: boolean, isAlone: boolean }} place @returns {Node[]} */
function drawPart(part, { isStory, isAlone }) {
  if (part.is === 'image') return [drawImage(part.url)];
  if (part.is === 'voice') return [drawVoice(part.url, part.bars)];
  if (part.is === 'poll') return [drawPoll(part.question, part.options)];
  if (part.is === 'card') return [...(isAlone ? [bareLink(part.url)] : []), drawLinkCard(part)];
  return [richText(part.spans, isStory ? 'story-text' : 'text')];
}

/** @param {string} url */
function bareLink(url) {
  return el('div', 'text', link(url, '', url));
}

/** @param {string} url */
function drawImage(url) {
  const image = document.createElement('img');
  image.alt = '';
  image.referrerPolicy = 'no-referrer';
  image.loading = 'lazy';
  const frame = link(url, 'photo', image);
  image.addEventListener('error', () => {
    frame.classList.add('photo-missing');
    frame.replaceChildren(
      icon('photo'),
      el('span', 'photo-note', 'Picture cannot be loaded'),
      el('span', 'photo-url', url),
    );
  });
  image.src = url;
  return frame;
}

/** @param {string} url @param {readonly number[]} bars */
function drawVoice(url, bars) {
  const button = el('button', 'play', icon('play'));
  button.type = 'button';
  button.ariaLabel = 'Play the voice message';
  const time = el('span', 'duration', '•:••');
  const wave = el('span', 'wave');
  for (const bar of bars) {
    const element = el('i', '');
    element.style.setProperty('--level', String(bar));
    wave.append(element);
  }
  const voice = el(
    'div',
    'voice',
    button,
    el('div', 'voice-body', wave, time),
    el('span', 'voice-mic', icon('mic')),
  );
  /** @type {HTMLAudioElement | null} */
  let audio = null;
  // Nothing is fetched before somebody wants to hear it.
  button.addEventListener('click', () => {
    audio ??= createAudio(url, { button, wave, time });
    if (audio.paused) audio.play().catch(() => time.replaceChildren('cannot be played'));
    else audio.pause();
  });
  return voice;
}

/** @param {string} url @param {{ button: HTMLElement, wave: HTMLElement, time: HTMLElement }} parts */
function createAudio(url, { button, wave, time }) {
  const audio = new Audio(url);
  const showIcon = () => button.replaceChildren(icon(audio.paused ? 'play' : 'pause'));
  const showTime = () => {
    const part = audio.duration > 0 ? audio.currentTime / audio.duration : 0;
    for (const [index, bar] of [...wave.children].entries()) {
      bar.classList.toggle('played', index < part * wave.children.length);
    }
    const seconds = Math.floor(audio.currentTime || audio.duration || 0);
    time.replaceChildren(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
  };
  for (const event of ['play', 'pause', 'ended']) audio.addEventListener(event, showIcon);
  for (const event of ['loadedmetadata', 'timeupdate']) audio.addEventListener(event, showTime);
  return audio;
}

/** @param {string} question @param {readonly string[]} options */
function drawPoll(question, options) {
  const rows = options.map((option) =>
    el(
      'li',
      '',
      el('span', 'radio'),
      el(
        'div',
        'option',
        el('div', 'option-line', line(option, '', 'span'), el('span', 'votes', '0')),
        el('div', 'option-bar'),
      ),
    ),
  );
  return el(
    'div',
    'poll',
    line(question, 'question'),
    el('div', 'poll-hint', icon('poll'), 'Select one'),
    el('ul', '', ...rows),
  );
}

/** @param {Extract<Part, { is: 'card' }>} card */
function drawLinkCard({ url, host, title, description }) {
  const banner = el('div', 'card-banner', el('span', 'card-letter', host.charAt(0).toUpperCase()));
  banner.style.setProperty('--hue', String((host.length * 47) % 360));
  const words = el(
    'div',
    'card-words',
    line(title || host, 'card-title'),
    description === '' ? null : line(description, 'card-description'),
    el('div', 'card-host', icon('link'), host),
  );
  return link(url, 'card', banner, words);
}

/* ------------------------------------------------------------ conversations */

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
  if (content.kind === 'status') element.style.setProperty('--hue', String((bubble.id * 67 + 210) % 360));
  if (trouble === null) return el('div', 'row', element);
  const badge = el('span', `badge ${delivered ? 'badge-delivered' : 'badge-lost'}`, icon('alert'), trouble);
  badge.title = delivered ? 'The phone got it, but the sender may not know' : 'The phone did not get it';
  return el(
    'div',
    'row',
    element,
    el('div', 'verdict', badge, delivered ? 'delivered all the same' : 'not delivered'),
  );
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
    main.replaceChildren(
      bubbles.length === 0 ? drawEmptyState() : el('div', 'empty', el('p', '', 'Choose a conversation.')),
    );
    return;
  }
  seen.set(key, newest.id);
  const head = drawChatHead(newest.chat, own.length);
  const stream = main.querySelector('.stream');
  if (drawn.key === key && column && stream) {
    const follow = stream.scrollHeight - stream.scrollTop - stream.clientHeight < FOLLOWING;
    main.querySelector('.chat-head')?.replaceWith(head);
    appendBubbles(
      column,
      own.filter(({ id }) => id > drawn.id),
    );
    if (follow) stream.scrollTop = stream.scrollHeight;
    return;
  }
  drawn = { key, id: 0 };
  lastDay = '';
  column = el('div', `column column-${newest.chat.type}`);
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

/** @param {Bubble} a @param {Bubble} b */
function newestFirst(a, b) {
  return b.id - a.id;
}

/** The newest bubble of each conversation, newest first. */
function newestPerChat() {
  const newest = new Map(bubbles.map((bubble) => [bubble.chat.key, bubble]));
  return [...newest.values()].sort(newestFirst);
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
  const unseen = bubbles.filter(
    ({ chat: { key }, id }) => key === chat.key && id > (seen.get(key) ?? 0),
  ).length;
  const head = el('div', 'chat-line', el('strong', '', chat.label), el('time', '', clock(at)));
  const words = el(
    'span',
    'preview',
    kindIcon === undefined ? null : icon(kindIcon),
    line(preview, '', 'span'),
  );
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

/** @param {Bubble} bubble */
function drawStory({ id, at, content, delivered, trouble }) {
  const story = el('a', 'story');
  story.href = '#status';
  story.style.setProperty('--hue', String((id * 67 + 210) % 360));
  if (!delivered) story.classList.add('story-lost');
  for (const part of content.kind === 'status' ? content.parts : [])
    if (part.is === 'text') story.append(richText(part.spans.map(withoutLink), 'story-words'));
  story.append(el('time', '', trouble ?? clock(at)));
  return story;
}

/** A link inside the link that a story is would not be valid. @param {Span} span @returns {Span} */
function withoutLink({ text, marks }) {
  return { text, marks };
}

/** @param {string} selected */
function drawSidebar(selected) {
  const stories = bubbles.filter(({ chat }) => chat.type === 'status').sort(newestFirst);
  const lane = byId('lane');
  lane.hidden = stories.length === 0;
  lane.replaceChildren(...stories.slice(0, 12).map(drawStory));
  const rows = newestPerChat().filter(({ chat }) => chat.type !== 'status');
  byId('chats').replaceChildren(...rows.map((bubble) => drawChatRow(bubble, selected)));
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
  drawSidebar(selected);
}

function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(draw);
}

/* ------------------------------------------------------------------- stream */

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
