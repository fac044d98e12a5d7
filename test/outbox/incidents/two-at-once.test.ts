import { describe, expect, it } from 'vitest';
import { inStorage } from '../support.ts';
import { IncidentsBench, route, PHONE, item } from './bench.ts';
import { refOf } from './said.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const OTHER = '4915112345679';
const inc = (over: object) => ({ key: '{{ item.name }}', resolved: 'item.status == "resolved"', ...over });

const quietUntil = (to: string): object => ({
  recipients: { team: { numbers: [PHONE], quiet: { from: '11:00', to, timezone: 'UTC', do: 'hold' } } },
});

const teamOf = (...numbers: readonly string[]): object => ({ recipients: { team: { numbers } } });

describe('two ordinary things at once', () => {
  it('a call that fails leaves the incident as its receiver knew it', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ incident: inc({ repeat: '1h' }) })]);
      await b.fire('a');
      b.ends = null;
      await b.resolve('a');
      await b.fire('a');
      await b.end('failed');
      b.ends = 'sent';
      await b.retry();
      await b.crash();
      await b.pass(3 * HOUR);
      expect(b.sent.length).toBeGreaterThan(1);
    }));

  it('what fires after it expired is new, although a call was under way', () =>
    inStorage(async ({ storage }) => {
      const b = new IncidentsBench(storage, [route({ incident: inc({ repeat: '50m', expires: '1h' }) })]);
      await b.fire('a');
      b.ends = null;
      await b.pass(45 * MINUTE);
      await b.take(item('a', { group: 'x' }));
      await b.pass(15 * MINUTE + 30_000);
      const before = b.sent.length;
      await b.crash();
      expect(b.sent).toHaveLength(before);
      await b.pass(MINUTE);
      expect(b.sent).toHaveLength(before + 1);
    }));
});
