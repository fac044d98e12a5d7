import type { Seams } from '../platform/seams.ts';
import { RETRY } from '../world/plan.ts';
import type { PlantedFault } from './planted-fault.ts';

/** A KV with documents that say something else; `to` may ask what the group of `from` has matched. */
const reading = (from: string | RegExp, to: string | ((part: string) => string)): Partial<Seams> => ({
  kvGet: (_key, value) =>
    value?.replaceAll(from, typeof to === 'string' ? () => to : (_, part: string) => to(part)) ?? null,
});

/** Zones, and one an hour behind it. */
const WEST: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'Europe/London',
  'America/New_York': 'America/Chicago',
  'Asia/Kolkata': 'Asia/Karachi',
  'Pacific/Auckland': 'Pacific/Noumea',
};

/** Documents are misread. The misread document is valid: a set that is refused would prove nothing. */
export const OF_DOCUMENTS: readonly PlantedFault[] = [
  {
    name: 'a dedupe window that is too short',
    note: 'a repeat is known for a second instead of three days',
    seams: () => reading('"window":"3d"', '"window":"1s"'),
  },
  {
    name: 'what is uncertain is tried again',
    note: '`on_uncertain: hold` is not heeded',
    seams: () => reading('"on_uncertain":"hold"', '"on_uncertain":"retry"'),
  },
  {
    name: 'a fallback that is not handed on',
    note: 'the account that did not send the message tries its fallback, too',
    seams: () =>
      reading(/"account":"default","after":"(\d+)m"/g, (number) => `"account":"second","after":"${number}m"`),
  },
  {
    name: 'a fallback that is taken more than once',
    note: 'an account does not remember what it took from another one',
    seams: () => ({ write: (_object, _text, values) => !String(values[0]).startsWith('@msg_') }),
  },
  {
    name: 'a schedule of retries that is cut',
    note: 'a message is tried twice only',
    seams: () => reading(JSON.stringify(RETRY), '["5s"]'),
  },
  {
    name: 'a limit that is off by one',
    note: 'a receiver gets one message an hour more than it should',
    seams: () => reading(/"per_hour":(\d+)/g, (number) => `"per_hour":${Number(number) + 1}`),
  },
  {
    name: 'a pace that is off by one',
    note: 'an account makes one call a minute more than it should',
    seams: () => reading(/"per_minute":(\d+)/g, (number) => `"per_minute":${Number(number) + 1}`),
  },
  {
    name: 'a throttle that is off by one',
    note: 'a receiver gets one notification more than its throttle allows',
    seams: () => reading('"max":4,"per"', '"max":5,"per"'),
  },
  {
    name: 'a repeat that comes too early',
    note: 'an incident is notified again after a third of the time',
    seams: () => reading('"repeat":"60m"', '"repeat":"20m"'),
  },
  {
    name: 'a group that does not wait',
    note: 'its interval is fifteen seconds instead of two minutes',
    seams: () => reading('"interval":"2m"', '"interval":"15s"'),
  },
  {
    name: 'an inhibition that is not heeded',
    note: 'what another incident should hold back is sent',
    seams: () => reading('"inhibited_by":"k1"', '"inhibited_by":"none"'),
  },
  {
    name: 'a silence that is not heeded',
    note: 'what it should hold back is sent',
    seams: () => reading('item.key == ', 'item.none == '),
  },
  {
    name: 'a hold that is not looked at again',
    note: 'the item by which a silence of warnings is decided stays the first one',
    seams: () => ({
      read: (_object, _text, _values, rows) =>
        rows.map((row) =>
          typeof row['value'] === 'string'
            ? { ...row, value: row['value'].replace('"severity":"critical"', '"severity":"warning"') }
            : row,
        ),
    }),
  },
  {
    name: 'a receiver that is left out',
    note: 'the last of a list gets nothing',
    seams: () => reading(/("numbers":\["[^\]]+),"\d+"\]/g, (others) => `${others}]`),
  },
  {
    name: 'a turn that does not end',
    note: 'it lasts a year instead of a day',
    seams: () => reading('"every":"1d"', '"every":"366d"'),
  },
  {
    name: 'an incident that does not expire',
    note: 'it stays open for a hundred times as long as it should',
    seams: () => reading('"expires":"180m"', '"expires":"18000m"'),
  },
  {
    name: 'quiet hours that end early',
    note: 'they end ten minutes before they should',
    seams: () => reading(/"to":"0(\d):00"/g, (hour) => `"to":"0${Number(hour) - 1}:50"`),
  },
  {
    name: 'an hour in the wrong time zone',
    note: 'the hours of the day are those of a zone an hour to the west',
    seams: () => reading(/"timezone":"([^"]+)"/g, (zone) => `"timezone":"${WEST[zone] ?? zone}"`),
  },
];
