import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFacts, useFacts } from '../../src/config/compiled/facts.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { acceptance } from '../../src/ingest/accept/accept.ts';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { routeEvent } from '../../src/ingest/routing/match.ts';
import { pack } from '../../src/outbox/state/acceptance.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';

const TRIES = 15;
const SIZES = [1, 8, 32, 128, 256, 512, 1_024, 2_048, 4_000];

/** As the starter has it. */
const SOURCE = {
  provider: 'alertmanager',
  verify: { scheme: 'none' },
  limit: false,
  routes: [
    {
      name: 'others',
      each: 'payload.alerts | reject: "labels.alertname", "Watchdog" | reject: "labels.severity", "critical"',
      to: '4915112345678',
      incident: { key: '{{ item.fingerprint }}', resolved: 'item.status == "resolved"' },
      group: { by: ['{{ item.labels.service | default: item.labels.alertname }}'] },
      send: { kind: 'text', message: '{{ count }} firing' },
    },
  ],
};

const EVENT = { id: 'evt_1', type: null, dedupeKey: null, signed: null, headers: {}, query: {} };

/**
 * The processor time of a webhook in the Worker by the size of its body, without the runtime's own: it parses the alerts of
 * an Alertmanager, routes them, and makes what the outbox gets.
 */
async function main(): Promise<void> {
  useFacts(parseFacts(readFileSync(join(import.meta.dirname, '../../assets/facts.json'), 'utf8')));
  const { config: compiled } = compileConfig({ ...EMPTY_SET, sources: { alerts: SOURCE } }, 1);
  const source = compiled.sources.get('alerts');
  if (source === undefined) throw new Error('no source');
  for (const kib of SIZES) {
    const body = bodyOf(kib * 1_024);
    const times: number[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      const before = process.cpuUsage();
      const parsed = await parseBody('application/json', body);
      if (!parsed.ok) throw new Error(parsed.error.detail);
      const event = { ...EVENT, source, receivedAt: Date.now(), payload: parsed.value.payload };
      const config = { version: 1, activation: 1, publicUrl: null };
      const made = acceptance(event, routeEvent(event), { config, dedupeFailure: null });
      if (typeof made.event.payload === 'string' && made.event.payload.length > 1_900_000)
        pack(made.event.payload);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    const median = times.toSorted((one, other) => one - other)[Math.floor(TRIES / 2)] ?? 0;
    process.stdout.write(`${kib} KiB: ${median.toFixed(1)} ms\n`);
  }
}

/** An alert of some 1.3 KB. */
const alert = (n: number) => ({
  status: 'firing',
  labels: { alertname: 'Fan', instance: `rack-${n}`, severity: 'warning', service: 'cooling' },
  annotations: { summary: `Fan ${n} has stopped`, description: `${n} is hot. `.repeat(70) },
  startsAt: '2026-11-28T20:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `f${n}`,
});

/** As many alerts as fit. */
function bodyOf(size: number): Uint8Array {
  const one = JSON.stringify(alert(1_000)).length + 1;
  const alerts = Array.from({ length: Math.max(1, Math.floor(size / one)) }, (_, n) => alert(n));
  return new TextEncoder().encode(JSON.stringify({ version: '4', status: 'firing', alerts }));
}

await main();
