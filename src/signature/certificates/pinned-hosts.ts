/**
 * SNS itself, in each region. AWS's own libraries accept any one label between `sns` and `amazonaws`, which also allows
 * `sns.s3-us-west-2.amazonaws.com`: a bucket that anybody could own. The name of a region has digits only at its end.
 */
export const SNS_HOST = /^sns\.[a-z]{2,}(?:-[a-z]+)+-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;

/** PayPal's API and its other hosts below its domain; live and sandbox have different hosts. */
export const PAYPAL_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+paypal\.com$/;

const MAX_URL = 2_048;
/** The URL parser drops line breaks and trims spaces, so the checked address would differ from the written one. */
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * Returns the address that a request names for us to call; null unless it is plain https and `host` matches its whole
 * host.
 */
export function pinnedUrl(text: string, host: RegExp): URL | null {
  if (text.length > MAX_URL || !PLAIN.test(text) || text.includes('#')) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || !host.test(url.hostname)) return null;
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}
