import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { PAYPAL_HOST, pinnedUrl, SNS_HOST } from '../../../src/signature/certificates/pinned-hosts.ts';

const open = (text: string) => pinnedUrl(text, SNS_HOST)?.href ?? null;

it('the hosts of SNS are those of its regions', () => {
  const regions = ['us-east-1', 'eu-central-1', 'ap-southeast-5', 'us-gov-west-1'];
  const hosts = [
    ...regions.map((region) => `sns.${region}.amazonaws.com`),
    'sns.cn-north-1.amazonaws.com.cn',
  ];
  expect(hosts.filter((host) => !SNS_HOST.test(host))).toEqual([]);
});

it.each([
  // A bucket of the name `sns`, which is not Amazon's own.
  'sns.s3.amazonaws.com',
  'sns.s3-us-west-2.amazonaws.com',
  'sns.s3-accelerate.amazonaws.com',
  'sns.s3.us-west-2.amazonaws.com',
  'xsns.us-east-1.amazonaws.com',
  'x.sns.us-east-1.amazonaws.com',
  'sns.us-east-1.amazonaws.com.evil.example',
  'sns.us-east-1.amazonaws.com.',
  'sns.us-east-1.amazonaws.co',
  'sns.us-east-1xamazonaws.com',
  'sns.us-east-1.evil.com',
  'sns.us-east-1.evil-amazonaws.com',
  'sqs.us-east-1.amazonaws.com',
  'sns.amazonaws.com',
])('%s is no host of SNS', (host) => {
  expect(SNS_HOST.test(host)).toBe(false);
});

it('the hosts of PayPal are those below its name', () => {
  const hosts = ['api.paypal.com', 'api.sandbox.paypal.com', 'api-m.paypal.com', 'www.paypal.com'];
  expect(hosts.filter((host) => !PAYPAL_HOST.test(host))).toEqual([]);
  const bare = ['paypal.com', '.paypal.com', 'api.paypal.com.', 'api..paypal.com', 'api.paypal.com\n'];
  const evil = ['evilpaypal.com', 'api.evilpaypal.com', 'api.paypal.com.evil.example', 'apixpaypal.com'];
  expect([...bare, ...evil].filter((host) => PAYPAL_HOST.test(host))).toEqual([]);
});

it('an address that a request names is opened on the pinned host over https', () => {
  const url = 'https://sns.us-east-1.amazonaws.com/cert.pem';
  expect(open(`${url}?x=1`)).toBe(`${url}?x=1`);
  expect(open('HTTPS://SNS.us-east-1.amazonaws.com:443/cert.pem')).toBe(url);
});

it.each([
  ['http', 'http://sns.us-east-1.amazonaws.com/cert.pem'],
  ['another protocol', 'ftp://sns.us-east-1.amazonaws.com/cert.pem'],
  ['a port', 'https://sns.us-east-1.amazonaws.com:8443/cert.pem'],
  ['a user', 'https://user@sns.us-east-1.amazonaws.com/cert.pem'],
  ['a password', 'https://:word@sns.us-east-1.amazonaws.com/cert.pem'],
  ['the host as a user', 'https://sns.us-east-1.amazonaws.com@evil.example/cert.pem'],
  ['the host after a backslash', 'https://evil.example\\@sns.us-east-1.amazonaws.com/cert.pem'],
  ['a fragment', 'https://sns.us-east-1.amazonaws.com/cert.pem#part'],
  ['an empty fragment', 'https://sns.us-east-1.amazonaws.com/cert.pem#'],
  ['a space before it', ' https://sns.us-east-1.amazonaws.com/cert.pem'],
  ['a line break in it', 'https://sns.us-east-1\n.amazonaws.com/cert.pem'],
  ['letters that look like others', 'https://sns.us-east-1.amazonaws.cоm/cert.pem'],
  ['wide letters that become the host', 'https://ｓns.us-east-1.amazonaws.com/cert.pem'],
  ['no address', 'sns.us-east-1.amazonaws.com/cert.pem'],
  ['too long an address', `https://sns.us-east-1.amazonaws.com/${'x'.repeat(2_048)}.pem`],
  ['nothing', ''],
])('an address that a request names is not opened with %s', (_, url) => {
  expect(open(url)).toBeNull();
});

it('is, whatever is written, on the pinned host or not opened', () => {
  const texts = ['https:', 'http:', '//', 'evil.example', 'sns.us-east-1.amazonaws.com', '%2e', '443'];
  const marks = ['/', '\\', '@', ':', '#', '?', '.', '\t'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...texts, ...marks), { maxLength: 8 }), (pieces) => {
      const url = pinnedUrl(`https://${pieces.join('')}`, SNS_HOST);
      return url === null || (url.host === 'sns.us-east-1.amazonaws.com' && url.protocol === 'https:');
    }),
  );
});
