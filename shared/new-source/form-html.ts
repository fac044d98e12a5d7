import { ENGLISH as ENGLISH_TEXTS, labelOf } from '../../src/ingest/form/texts.ts';
import { isGerman } from '../../src/lib/text.ts';
import { ownValue } from '../../src/lib/json.ts';

import german from '../../assets/forms/de.json' with { type: 'json' };

/** The HTML for a page. `script`: sends the form without leaving the page; empty: it has files. */
export type FormHtml = Readonly<{ html: string; script: string }>;

/** Null if the source is not a form, or declares no fields. `action`: its address. */
export function formHtml(source: unknown, action: string): FormHtml | null {
  const fields = ownValue(source, 'fields');
  if (ownValue(source, 'provider') !== 'html-form' || typeof fields !== 'object' || fields === null)
    return null;
  const locale = ownValue(source, 'locale');
  const [texts, words] =
    typeof locale === 'string' && isGerman(locale) ? [german, GERMAN] : [ENGLISH_TEXTS, ENGLISH];
  const rows = Object.entries(fields).map(([name, rule]: [string, unknown]) => {
    const label = ownValue(rule, 'label');
    return row(name, rule, typeof label === 'string' ? label : (labelOf(texts, name) ?? spoken(name)), words);
  });
  const hasFile = Object.values(fields).some((rule: unknown) => ownValue(rule, 'kind') === 'file');
  const honeypot = ownValue(ownValue(source, 'spam'), 'honeypot');
  const html = [
    `<form class="hookbell" method="post" action="${escaped(action)}"${hasFile ? ' enctype="multipart/form-data"' : ''}>`,
    ...rows,
    ...(typeof honeypot === 'string' ? [trap(honeypot, words)] : []),
    `  <p><button>${words.send}</button></p>`,
    '  <p role="status"></p>',
    '</form>',
    STYLE,
  ];
  return { html: html.join('\n'), script: hasFile ? '' : scriptOf(words) };
}

/** The attributes of a field by what it is for. */
const INPUTS: ReadonlyMap<string, string> = new Map([
  ['name', 'autocomplete="name"'],
  ['first_name', 'autocomplete="given-name"'],
  ['last_name', 'autocomplete="family-name"'],
  ['email', 'type="email" autocomplete="email"'],
  ['phone', 'type="tel" autocomplete="tel"'],
  ['company', 'autocomplete="organization"'],
  ['date', 'type="date"'],
  ['time', 'type="time"'],
  ['file', 'type="file"'],
]);

/** The longest value by its kind, or by its name where that says the kind; as the relay bounds them. */
const MAX: ReadonlyMap<string, number> = new Map([
  ['name', 80],
  ['first_name', 80],
  ['last_name', 80],
  ['email', 254],
  ['phone', 40],
]);

const STANDARD_MAX = 2_000;

const LONG: ReadonlySet<string> = new Set(['message', 'comment', 'comments', 'feedback', 'text']);

function row(name: string, rule: unknown, label: string, { optional }: Words): string {
  const [kind, given] = [ownValue(rule, 'kind'), ownValue(rule, 'max')];
  const sort = typeof kind === 'string' && kind !== 'name' && kind !== 'text' ? kind : name;
  const isRequired = ownValue(rule, 'required') === true;
  const id = `hookbell-${name}`;
  const max = typeof given === 'number' ? given : (MAX.get(sort) ?? STANDARD_MAX);
  const attributes = [
    `id="${id}" name="${name}"`,
    LONG.has(name) ? 'rows="5"' : (INPUTS.get(sort) ?? ''),
    kind === 'file' ? '' : `maxlength="${max}"`,
    isRequired ? 'required' : '',
  ];
  const inside = attributes.filter((one) => one !== '').join(' ');
  const field = LONG.has(name) ? `<textarea ${inside}></textarea>` : `<input ${inside}>`;
  const shown = `${escaped(label)}${isRequired ? '' : ` <small>(${optional})</small>`}`;
  return `  <p><label for="${id}">${shown}</label>\n  ${field}</p>`;
}

/** Outside of the screen, and left out by screen readers and the Tab key. */
const trap = (name: string, words: Words): string =>
  `  <p class="trap" aria-hidden="true"><label>${words.trap} <input name="${name}" tabindex="-1" autocomplete="off"></label></p>`;

const spoken = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]+/g, ' ');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const STYLE = `<style>
  .hookbell { max-width: 30rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; }
  .hookbell label { display: block; font-weight: 600; }
  .hookbell small { font-weight: 400; }
  .hookbell input, .hookbell textarea { width: 100%; box-sizing: border-box; padding: 0.6rem; }
  .hookbell input, .hookbell textarea { font: inherit; border: 1px solid #767676; border-radius: 4px; }
  .hookbell button { padding: 0.7rem 1.5rem; font: inherit; cursor: pointer; }
  .hookbell :focus-visible { outline: 3px solid #1a73e8; outline-offset: 2px; }
  .hookbell .trap { position: absolute; left: -9999px; }
</style>`;

/** Ten lines between the braces of the page and its form. A screen reader hears what is wrong. */
const scriptOf = ({ sent, failed }: Words): string => `<script type="module">
  const form = document.querySelector('form.hookbell');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(form.action, { method: 'POST', headers, body }).catch(() => null);
    const { errors = [] } = answer && !answer.ok ? await answer.json() : {};
    const said = answer?.ok ? '${sent}' : errors.map((one) => one.message).join(' ') || '${failed}';
    form.querySelector('[role=status]').textContent = said;
    if (answer?.ok) form.reset();
  });
</script>`;

type Words = Readonly<typeof ENGLISH>;

const ENGLISH = {
  optional: 'optional',
  send: 'Send',
  sent: 'Thank you, your message has arrived.',
  failed: 'It could not be sent. Please try again in a minute.',
  trap: 'Leave this empty',
};

const GERMAN: Words = {
  optional: 'freiwillig',
  send: 'Senden',
  sent: 'Vielen Dank, Ihre Nachricht ist angekommen.',
  failed: 'Das Senden hat nicht geklappt. Bitte versuchen Sie es in einer Minute noch einmal.',
  trap: 'Bitte leer lassen',
};
