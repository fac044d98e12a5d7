import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import '../e2e/program.ts';
import { ColdLab } from './cold-lab.ts';
import { checkVerdict, coldSection, FURTHER_SIZES, SOURCES, type Case, type Cold } from './cold-tables.ts';
import { coldWebhooks, KINDS, publishedText } from './cold-webhooks.ts';
import { machineNow, writePage } from './page.ts';

const [FIRST_KIND] = KINDS;
const CASES_OF_KINDS: readonly Case[] = KINDS.map((kind) => ({ kind, sources: SOURCES }));
const CASES_OF_SIZES: readonly Case[] = FURTHER_SIZES.map((sources) => ({ kind: FIRST_KIND, sources }));

const ROUNDS = 15;
const ROUNDS_OF_A_CHECK = 5;

/**
 * `npm run bench:cold`: the CPU of a cold isolate's first webhook, by its kind and by the number of published sources.
 * Writes its section of docs/performance/figures.md; with `--check` or `--rounds`, it only prints. Fails when a limit is
 * missed. A check is only of the kinds, takes seconds, and allows 2.5 times the limit, scaled by a fixed piece of work.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds ?? (values.check ? ROUNDS_OF_A_CHECK : ROUNDS));
  const machine = `${machineNow()}, workerd ${workerdVersion()}`;
  const colds = await measure(values.check ? CASES_OF_KINDS : [...CASES_OF_KINDS, ...CASES_OF_SIZES], rounds);
  const order = coldWebhooks(new Date())[FIRST_KIND];
  const setKib = (sources: number): number => Math.round(publishedText(order, sources).length / 1_024);
  const { text, missed } = values.check
    ? checkVerdict(colds)
    : coldSection(colds, { rounds, machine, setKib });
  process.stdout.write(`${text}\n`);
  if (missed > 0) process.exitCode = 1;
  if (!values.check && values.rounds === undefined) await writePage({ cold: text });
}

async function measure(cases: readonly Case[], rounds: number): Promise<readonly Cold[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbell-cold-'));
  try {
    // As what is deployed is bundled.
    await bundleWorker('test/bench/cold-worker.ts', folder);
    const lab = new ColdLab(folder, readFileSync(join(folder, 'index.js'), 'utf8'));
    const colds: Cold[] = [];
    // The other way round each second time, so that no case always has the same place.
    for (let round = 0; round < rounds; round += 1)
      colds.push(...(await lab.round(round % 2 === 0 ? cases : cases.toReversed())));
    return colds;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const packageFile = z.object({ version: z.string() });

function workerdVersion(): string {
  const file = createRequire(import.meta.url).resolve('workerd/package.json');
  return packageFile.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}

await main();
