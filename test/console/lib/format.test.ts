import { describe, expect, test, vi } from 'vitest';

/** The words of a time in a browser of this language. */
async function clockIn(language: string) {
  vi.resetModules();
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', { languages: [language] });
  const { clock } = await import('../../../console/lib/format.ts');
  // ICU puts a narrow space before AM and PM.
  return (...args: Parameters<typeof clock>) => clock(...args).replaceAll(/\s/g, ' ');
}

const NOW = new Date(2026, 10, 26, 14, 0, 5).getTime();
const MINUTE = 60_000;

describe('A time', () => {
  test.each([
    ['en-US', 'Nov 27, 7:05 AM'],
    ['en-GB', '27 Nov, 07:05'],
    ['de-DE', '27. Nov., 07:05'],
  ])('of another day is written as the language writes the hour: %s', async (language, written) => {
    expect((await clockIn(language))(new Date(2026, 10, 27, 7, 5, 9).getTime(), NOW)).toBe(written);
  });

  test('breaks between the day and the hour alone', async () => {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages: ['en-US'] });
    const { clock } = await import('../../../console/lib/format.ts');
    expect(clock(new Date(2026, 10, 27, 7, 5, 9).getTime(), NOW).split(' ')).toHaveLength(2);
  });

  test('of today has seconds, unless it is a plan', async () => {
    const clock = await clockIn('de-DE');
    expect(clock(NOW - 90 * MINUTE, NOW)).toBe('12:30:05');
    // The next attempt.
    expect(clock(NOW + MINUTE / 2, NOW)).toBe('14:00:35');
    // The end of a silence.
    expect(clock(NOW + 60 * MINUTE, NOW)).toBe('15:00');
  });
});
