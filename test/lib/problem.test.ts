import { describe, expect, it } from 'vitest';
import { problemResponse } from '../../src/lib/problem.ts';

const PROBLEM = { status: 405, type: 'method-not-allowed', title: 'Method not allowed', detail: 'Use POST.' };

describe('problemResponse', () => {
  it('is an RFC 9457 problem with the status of its answer', async () => {
    const response = problemResponse(PROBLEM);
    expect(response.status).toBe(405);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: 'urn:hookbell:problem:method-not-allowed',
      title: 'Method not allowed',
      status: 405,
      detail: 'Use POST.',
    });
  });

  it('carries what is wrong with a document, by path', async () => {
    const errors = [{ path: 'sources.shop.routes[0].to', message: 'is required' }];
    expect(await problemResponse({ ...PROBLEM, errors }).json()).toMatchObject({ errors });
  });

  it('carries headers, which cannot change what it is', () => {
    const headers = { allow: 'POST, PUT', 'content-type': 'text/html', 'cache-control': 'public' };
    const response = problemResponse({ ...PROBLEM, headers });
    expect(Object.fromEntries(response.headers)).toEqual({
      allow: 'POST, PUT',
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });
});
