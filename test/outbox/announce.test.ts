import { expect, it } from 'vitest';
import { repacedOutboxes } from '../../src/outbox/announce.ts';
import { lazyConfig } from '../../src/config/lazy-config.ts';
import { open, setOf } from '../config/support.ts';

const SET = setOf({
  sources: { shop: open(), calls: open({ account: 'sales' }) },
  accounts: { sales: {} },
});

const WHEN = 'event.source == "shop"';
const withSilences = (silences: Record<string, object>) => lazyConfig(SET, 1, { silences });

it('every outbox hears of a silence that was added, changed or ended, and none of what stayed', () => {
  const plain = withSilences({});
  const silent = withSilences({ sil_1: { when: WHEN, until: '2026-01-31T22:00:00Z' } }); // fixed date: compared as texts
  const longer = withSilences({ sil_1: { when: WHEN, until: '2026-01-31T23:00:00Z' } }); // fixed date: compared as texts
  const all = ['default', 'sales'].length;
  expect(repacedOutboxes(plain, silent)).toHaveLength(all);
  expect(repacedOutboxes(silent, plain)).toHaveLength(all);
  expect(repacedOutboxes(silent, longer)).toHaveLength(all);
  expect(
    repacedOutboxes(silent, withSilences({ sil_1: { when: WHEN, until: '2026-01-31T22:00:00Z' } })), // fixed date: compared as texts
  ).toEqual([]);
});

it('an outbox hears that its account was removed, and that it is back', () => {
  const before = lazyConfig(SET, 1);
  const without = setOf({ sources: { shop: open() } });
  const after = lazyConfig(without, 2, { removed: { sales: {} } });
  expect(repacedOutboxes(before, after)).toEqual(['sales']);
  expect(repacedOutboxes(after, before)).toEqual(['sales']);
});
