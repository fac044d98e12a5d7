import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { pinnedUrl } from '../../../src/lib/url.ts';
import { PAYPAL_HOST, SNS_HOST } from '../../../src/signature/schemes/rsa.ts';

const open = (text: string) => pinnedUrl(text, SNS_HOST)?.href ?? null;

it('the hosts of SNS are those of its regions, and no bucket of the name `sns`, which is not Amazon’s own', () => {
  const hosts = 'sns.us-east-1.amazonaws.com sns.us-gov-west-1.amazonaws.com sns.cn-north-1.amazonaws.com.cn';
  expect(hosts.split(' ').filter((host) => !SNS_HOST.test(host))).toEqual([]);
  const buckets =
    's3.amazonaws s3-us-west-2.amazonaws s3-accelerate.amazonaws s3.us-west-2.amazonaws amazonaws';
  const names = [
    'us-east-1.amazonaws.co',
    'us-east-1xamazonaws.com',
    'us-east-1.evil.com',
    'us-east-1.evil-amazonaws.com',
  ];
  const others = [...buckets.split(' ').map((name) => `${name}.com`), ...names].map((name) => `sns.${name}`);
  const around = ['xsns.', 'x.sns.', 'sqs.'].map((name) => `${name}us-east-1.amazonaws.com`);
  const behind = ['.evil.example', '.'].map((end) => `sns.us-east-1.amazonaws.com${end}`);
  expect([...others, ...around, ...behind].filter((host) => SNS_HOST.test(host))).toEqual([]);
});

it('the hosts of PayPal are those below its name', () => {
  const hosts = ['api.paypal.com', 'api.sandbox.paypal.com', 'api-m.paypal.com', 'www.paypal.com'];
  expect(hosts.filter((host) => !PAYPAL_HOST.test(host))).toEqual([]);
  const bare = ['paypal.com', '.paypal.com', 'api.paypal.com.', 'api..paypal.com', 'api.paypal.com\n'];
  const evil = ['evilpaypal.com', 'api.evilpaypal.com', 'api.paypal.com.evil.example', 'apixpaypal.com'];
  expect([...bare, ...evil].filter((host) => PAYPAL_HOST.test(host))).toEqual([]);
});

it('an address that a request names is opened on the pinned host over https, and not with anything else in it, or written in another way', () => {
  const url = 'https://sns.us-east-1.amazonaws.com/cert.pem';
  expect(open(`${url}?x=1`)).toBe(`${url}?x=1`);
  expect(open('HTTPS://SNS.us-east-1.amazonaws.com:443/cert.pem')).toBe(url);
  const path = 'sns.us-east-1.amazonaws.com/cert.pem';
  const protocols = [
    'http://',
    'ftp://',
    '',
    ' https://',
    'https://user@',
    'https://:word@',
    'https://evil.example\\@',
  ];
  const ends = ['#part', '#', 'x'.repeat(2_048)].map((end) => `https://${path}${end}`);
  const changed = [':8443/', '\n/', '@evil.example/'].map((end) => `https://${path.replace('/', end)}`);
  // Letters that look like others, and wide ones that become the host.
  const letters = [
    'https://sns.us-east-1.amazonaws.cоm/cert.pem',
    'https://ｓns.us-east-1.amazonaws.com/cert.pem',
  ];
  const texts = [...protocols.map((start) => start + path), ...ends, ...changed, ...letters, ''];
  expect(texts.filter((text) => open(text) !== null)).toEqual([]);
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
