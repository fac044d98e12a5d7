import { describe, expect, it } from 'vitest';
import { isAlerting, readQuiet } from '../../../cli/init/quiet.ts';
import { findProvider } from '../../../cli/init/starters.ts';

describe('quiet hours', () => {
  it.each([
    ['22:00-07:00', '22:00', '07:00'],
    [' 7:30 – 9:00 ', '07:30', '09:00'],
    ['22:00 to 24:00', '22:00', '24:00'],
  ])('are read from %s', (text, from, to) => {
    expect(readQuiet(text)).toEqual({ ok: true, value: { from, to } });
  });

  it.each(['', '  '])('are none where nothing is written', (text) => {
    expect(readQuiet(text)).toEqual({ ok: true, value: null });
  });

  it.each([
    ['at night', 'must be quiet hours such as 22:00-07:00'],
    ['22-7', 'must be quiet hours such as 22:00-07:00'],
    ['25:00-07:00', '`from` must be a time from "00:00" to "23:59"'],
    ['22:00-22:00', '`to` must differ from `from`'],
  ])('are not %s', (text, error) => {
    const read = readQuiet(text);
    expect(read.ok ? '' : read.error).toContain(error);
  });
});

describe('a provider of alerts', () => {
  it.each([
    ['alertmanager', true],
    ['uptime-kuma', true],
    ['sentry', true],
    ['aws-sns', true],
    ['stripe', false],
    ['typeform', false],
  ])('%s: %s', (id, expected) => {
    const begin = findProvider(id);
    expect(begin.ok && isAlerting(begin.value.starter)).toBe(expected);
  });
});
