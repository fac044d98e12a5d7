import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/lib/loopback.ts';

const hostOf = (url: string): string => new URL(url).hostname;

describe('a host', () => {
  it.each([
    'http://localhost:8787',
    'http://127.0.0.1',
    'http://127.8.0.9/a',
    'http://127.1',
    'http://[::1]:1',
  ])('is this machine: %s', (url) => {
    expect(isLoopback(hostOf(url))).toBe(true);
  });

  it.each([
    'http://relay.example',
    'http://localhost.example',
    'http://a.localhost',
    'http://127.0.0.1.example',
    'http://128.0.0.1',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://user:localhost@relay.example',
  ])('is another one: %s', (url) => {
    expect(isLoopback(hostOf(url))).toBe(false);
  });
});
