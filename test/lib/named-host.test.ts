import { describe, expect, it } from 'vitest';
import { namesItsHost } from '../../src/lib/named-host.ts';

describe('a template of a URL', () => {
  it.each([
    'https://a.example',
    ' http://a.example/ ',
    'https://a.example/{{ payload.id }}',
    'https://a.example?x={{ b }}',
    'https://a.example:8443#{{ c }}',
  ])('%s names its host', (template) => {
    expect(namesItsHost(template)).toBe(true);
  });

  it.each([
    '{{ payload.url }}',
    'https://{{ payload.host }}/',
    'https://a.example{{ payload.more }}/',
    'https://a.example{% if payload.more %}.evil.example{% endif %}/',
    'https://a.example\\{{ payload.more }}/',
    '{% if payload.x %}https://a.example/{% endif %}{{ payload.url }}',
    'ftp://a.example/',
  ])('%s does not', (template) => {
    expect(namesItsHost(template)).toBe(false);
  });
});
