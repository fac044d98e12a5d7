const BLOT = '[redacted]';

/**
 * From this length on a secret is blotted out wherever it stands, also inside a longer word. A shorter one only
 * where it stands alone: everywhere, it would shred the text, and not at all, it would leak.
 */
const MIN_LENGTH_INSIDE_WORDS = 4;

/**
 * `text` with each secret replaced by `[redacted]`, in each form in which a program may echo it: as it is, percent-
 * or form-encoded, JSON- or HTML-escaped, in base64 or base64url. Case does not count, since a server may
 * lower-case an e-mail address. Undefined and empty secrets are skipped.
 *
 * Redact first and cut afterwards: half a secret is not recognised. A text that was cut before it came here is
 * `cutOff`; what may be the beginning of a secret is then blotted out at its end, too.
 */
export function redact(text: string, secrets: readonly (string | undefined)[], cutOff = false): string {
  const forms = [...new Set(secrets.flatMap((secret) => (secret ? echoes(secret) : [])))];
  if (forms.length === 0) return text;
  // Longest first: a secret that contains another must go as a whole.
  forms.sort((a, b) => b.length - a.length);
  const whole = text.replace(new RegExp(forms.map(pattern).join('|'), 'giu'), BLOT);
  return cutOff ? blotTail(whole, forms) : whole;
}

/** The ways a secret may be written in an answer. */
function echoes(secretText: string): string[] {
  // encodeURIComponent throws on half a surrogate pair.
  const secret = secretText.toWellFormed();
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = toBase64(secret);
  return [
    secret,
    encodeURIComponent(secret),
    // The form serializer's own escapes: `+` for a space, and more punctuation than encodeURIComponent's.
    new URLSearchParams([['', secret]]).toString().slice(1),
    json,
    // PHP's json_encode also escapes slashes and everything outside ASCII.
    json.replaceAll('/', '\\/').replace(/[^\x20-\x7e]/g, unicodeEscape),
    secret.replace(/[&<>"']/g, (character) => `&${HTML_NAMES[character] ?? ''};`),
    base64.replace(/=+$/, ''),
    base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
  ];
}

const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#039',
};

const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function toBase64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function pattern(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return form.length < MIN_LENGTH_INSIDE_WORDS ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}

/** Blots out a tail of `text` that is the beginning of a secret, the longest such tail first. */
function blotTail(text: string, forms: readonly string[]): string {
  const lower = text.toLowerCase();
  for (
    let length = Math.min(forms[0]?.length ?? 0, text.length);
    length >= MIN_LENGTH_INSIDE_WORDS;
    length -= 1
  ) {
    const tail = lower.slice(-length);
    if (forms.some((form) => form.toLowerCase().startsWith(tail))) return text.slice(0, -length) + BLOT;
  }
  return text;
}
