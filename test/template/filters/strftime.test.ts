import * as fc from 'fast-check';
import { Context, Liquid, toValueSync, Value } from 'liquidjs';
import { expect, it } from 'vitest';
import { prepareDate } from '../../../src/template/filters/strftime.ts';

const [EUROPE, ASIA] = [
  ['UTC', 'Europe/Berlin'],
  ['Asia/Kathmandu', 'Pacific/Kiritimati'],
];
const ZONES = [...EUROPE, ...ASIA, 'America/St_Johns', 'Australia/Lord_Howe'];
const DATES = ['%Y-%m-%d %H:%M:%S', '%A, %-d. %B %Y %z', '%a %b %h %e %:z', '%j %U %W %u %p %l'];
const FORMATS = [...DATES, '%^B %10b %%B %s', '%c', '%Z'];

it('a prepared date prints what liquidjs prints for the zone’s name', () => {
  const ms = fc.integer({ min: Date.UTC(1890, 0), max: Date.UTC(2210, 0) });
  const zones = fc.constantFrom(...ZONES);
  const locale = fc.constantFrom('de-DE', 'en', 'fr-CA');
  fc.assert(
    fc.property(ms, zones, fc.constantFrom(...FORMATS), locale, (at, zone, format, tag) => {
      const liquid = new Liquid({ locale: tag });
      const date = new Value('at | date: form, where', liquid);
      const print = (form: unknown, where: unknown): unknown =>
        toValueSync(date.value(new Context({ at: new Date(at), form, where }, liquid.options)));
      const call = prepareDate(at, format, zone, tag);
      expect(print(call.format, call.zone)).toBe(print(format, zone));
    }),
  );
});
