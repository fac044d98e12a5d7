import { err, ok, type Result } from '../src/lib/result.ts';
import { showName, type GatewayRefusal } from './refusal.ts';

/** The gateway's largest call has 7 parameters; far more is a fault of the client. */
const MAX_PAIRS = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A URL-encoded form body as names and values. Stricter than a browser or PHP: broken percent or UTF-8 sequences,
 * pairs without `=`, empty pairs and repeated names are refused, since each of them is a bug in the client that a
 * lenient gateway would turn into a wrong message.
 */
export function decodeForm(body: Uint8Array): Result<ReadonlyMap<string, string>, GatewayRefusal> {
  const text = decodeUtf8(body);
  if (text === null) return malformed('the body is not valid UTF-8');
  const fields = new Map<string, string>();
  if (text === '') return ok(fields);

  const pairs = text.split('&');
  if (pairs.length > MAX_PAIRS) return malformed(`the body has more than ${MAX_PAIRS} parameters`);
  for (const [index, pair] of pairs.entries()) {
    const equals = pair.indexOf('=');
    // The pair itself is not quoted: a JSON body sent as a form is one such pair, credentials and all.
    if (equals < 1) return malformed(`pair ${index + 1} is not written as name=value`);
    const name = decodeComponent(pair.slice(0, equals));
    const value = decodeComponent(pair.slice(equals + 1));
    if (name === null || value === null) return malformed(`pair ${index + 1} has a broken percent-encoding`);
    if (fields.has(name)) return repeated(name);
    fields.set(name, value);
  }
  return ok(fields);
}

function decodeUtf8(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

function decodeComponent(text: string): string | null {
  try {
    // Unlike URLSearchParams, this throws on `%zz` and on bytes that are not UTF-8.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

const malformed = (what: string) => {
  const message = `The form cannot be read: ${what}. Encode the body with URLSearchParams.`;
  return err({ status: 400, reason: 'malformed_form', message });
};

const repeated = (name: string) => {
  const message = `A parameter is given more than once: ${showName(name)}. Send each parameter once.`;
  return err({ status: 400, reason: 'repeated_parameter', message });
};
