import { describe, expect, it } from 'vitest';
import { sightOf, viewersSeePayloads } from '../../../src/admin/auth/viewer-sees.ts';
import { secretValues } from '../../../src/lib/secret.ts';
import { envWith } from '../../platform/env.ts';

describe('VIEWER_SEES', () => {
  it.each([undefined, '', 'payload', 'Payloads', 'payloads,texts', 'true', 1])(
    'shows nothing more as %j',
    (value) => {
      expect(viewersSeePayloads(envWith({ VIEWER_SEES: value }))).toBe(false);
      expect(sightOf(envWith({ VIEWER_SEES: value }))).toBe('facts');
    },
  );

  it('shows payloads and texts as `payloads`, a word that is not taken for a secret', () => {
    expect(sightOf(envWith({ VIEWER_SEES: 'payloads' }))).toBe('contents');
    expect(secretValues({ VIEWER_SEES: 'payloads' })).toEqual([]);
  });
});
