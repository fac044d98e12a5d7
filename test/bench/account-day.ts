import { parseArgs } from 'node:util';
import { table } from '../../scripts/page-section.ts';
import { compileWorker, type Program } from '../simulation/platform/bundle.ts';
import { faultlessPlatform } from '../simulation/platform/faultless.ts';
import { passTime } from '../simulation/run/pass-time.ts';
import { Relay, SENDER_SECRET } from '../simulation/world/relay.ts';
import { ACCOUNTS, EVENTS_A_DAY, RATE } from './deployment-cost.ts';
import { writePage } from './page.ts';
import { payment, paymentConfig, paymentId, PAYMENT } from './payment.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time that the gateway takes for a call (ms), as in the cases of `operations.ts`. */
const GATEWAY_MS = 300;

/** The default, the least that a day's messages need, and one with some reserve. */
const PACES = [30, RATE.per_minute, 100];

/** One account’s day: the webhooks that came, and the messages sent for them. */
interface AccountDay {
  readonly events: number;
  readonly sent: number;
  /** Messages that wait when the day ends, and the most that ever waited. */
  readonly waiting: number;
  readonly mostWaiting: number;
  /** The waits from webhook to call (ms) of those that were sent, sorted. */
  readonly waits: readonly number[];
  readonly alarms: number;
  readonly starts: number;
  readonly bytes: number;
}

/** Simulates a day of one account on a platform without faults; webhooks come at random times. */
async function simulateDay(program: Program, account: object, hours: number): Promise<AccountDay> {
  const platform = faultlessPlatform(program);
  platform.bindings['HOOK_SECRET'] = SENDER_SECRET;
  const cameAt = new Map<string, number>();
  const waits: number[] = [];
  let mostWaiting = 0;
  platform.outside('gateway.example', ({ body }) => {
    const [id = ''] = /payx\d+/.exec(body) ?? [];
    const at = cameAt.get(id);
    if (at === undefined) throw new Error(`a call for no webhook: ${body}`);
    waits.push(platform.now() - at);
    const response = Response.json({ success: true, data: { status_code: 200 } });
    return { kind: 'answer', afterMs: GATEWAY_MS, response };
  });
  const relay = new Relay(platform, platform.random.fork('relay'));
  const random = platform.random.fork('senders');
  const gap = (hours * HOUR) / ((EVENTS_A_DAY / ACCOUNTS) * (hours / 24));
  const end = { at: Infinity };
  platform.spawn('sender', async () => {
    const published = await relay.admin('POST', '/config', paymentConfig(account));
    if (published.status !== 200) throw new Error(`the configuration is refused: ${published.status}`);
    await platform.sleep(2 * MINUTE);
    end.at = platform.now() + hours * HOUR;
    for (let index = 0; platform.now() < end.at; index += 1) {
      const { body } = payment(1, index, PAYMENT);
      cameAt.set(paymentId(1, index), platform.now());
      mostWaiting = Math.max(mostWaiting, cameAt.size - waits.length);
      platform.spawn('webhook', async () => {
        const { status } = await relay.post('proof', body);
        if (status !== 202) throw new Error(`a webhook is answered with ${status}`);
      });
      await platform.sleep(-Math.log(1 - random.next()) * gap);
    }
  });
  await passTime(platform, platform.now() + 3 * MINUTE);
  await passTime(platform, end.at);
  const { counts } = platform;
  const day = {
    events: cameAt.size,
    sent: waits.length,
    waiting: cameAt.size - waits.length,
    mostWaiting,
    waits: waits.toSorted((a, b) => a - b),
    alarms: counts['alarms'] ?? 0,
    starts: counts['object.starts'] ?? 0,
    bytes: platform.bytesOnDisk(),
  };
  platform.close();
  return day;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A wait in seconds, minutes or hours. */
function wait(ms = 0): string {
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  return ms < HOUR ? `${(ms / MINUTE).toFixed(1)} min` : `${(ms / HOUR).toFixed(1)} h`;
}

const at = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** The section of `docs/performance/figures.md`. */
function dayText(days: readonly (readonly [string, AccountDay])[], hours: number): string {
  const row = (what: string, of: (day: AccountDay) => string): readonly string[] => [
    what,
    ...days.map(([, day]) => of(day)),
  ];
  return [
    `One of these accounts, simulated for ${hours} hours by \`npm run price:day\`: its webhooks come at random times, the gateway
takes ${GATEWAY_MS} ms for a call, and the platform has no faults.`,
    table(
      ['', ...days.map(([name]) => name)],
      [
        row('events', ({ events }) => whole(events)),
        row('messages sent', ({ sent }) => whole(sent)),
        row('waiting at the end', ({ waiting }) => whole(waiting)),
        row('the most that waited', ({ mostWaiting }) => whole(mostWaiting)),
        row('webhook → call, median', ({ waits }) => wait(at(waits, 0.5))),
        row('… 99 of 100', ({ waits }) => wait(at(waits, 0.99))),
        row('… the longest', ({ waits }) => wait(waits.at(-1))),
        row('alarms an event', ({ alarms, events }) => (alarms / events).toFixed(2)),
        row('KB on disk an event', ({ bytes, events }) => (bytes / events / 1_000).toFixed(1)),
      ],
    ),
  ].join('\n\n');
}

/** `npm run price:day`: one account of the large deployment that `npm run price` prices, simulated. `--hours`: less than a day. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { hours: { type: 'string', default: String(DAY / HOUR) } } });
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24)) throw new Error(`--hours ${values.hours}: a number up to 24 is expected`);
  const program = await compileWorker();
  const days: (readonly [string, AccountDay])[] = [];
  for (const perMinute of PACES) {
    const day = await simulateDay(program, { rate: { per_minute: perMinute } }, hours);
    days.push([`\`per_minute: ${perMinute}\``, day]);
  }
  const text = dayText(days, hours);
  process.stdout.write(`${text}\n`);
  if (hours === 24) await writePage({ 'account-day': text });
}

await main();
