import { describe, expect, it } from 'vitest';
import { personName } from '../../src/lib/person-name.ts';

describe('the name in a record of who did something', () => {
  it('is that of a person who signed in by name, or whom Cloudflare Access vouches for', () => {
    expect(personName('Ben Müller')).toBe('Ben Müller');
    expect(personName('ben@acme.example')).toBe('ben@acme.example');
  });

  it('is none where a token or a program did it', () => {
    const none = ['token', 'operator', 'viewer', 'editor', 'hookbell', 'service:ci.access'];
    expect(none.map(personName)).toEqual(none.map(() => null));
  });
});
