import { describe, expect, it } from 'vitest';
import { publicUrl } from '../../src/config/public-url.ts';

describe('the address of the relay', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com'],
    ['https://hooks.example.com/', 'https://hooks.example.com'],
    ['https://example.com/relay/', 'https://example.com/relay'],
    ['http://localhost:8787', 'http://localhost:8787'],
    ['HTTPS://Hooks.Example.com', 'https://hooks.example.com'],
  ])('is an http(s) address, without a slash at its end: %s', (text, address) => {
    expect(publicUrl({ PUBLIC_URL: text })).toBe(address);
  });

  it.each([
    '',
    'hooks.example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://example.com?x=1',
    'https://example.com#x',
    'https://user:pass@example.com',
    `https://example.com/${'x'.repeat(64)}`,
  ])('is no other text: %j', (text) => {
    expect(publicUrl({ PUBLIC_URL: text })).toBeNull();
  });
});
