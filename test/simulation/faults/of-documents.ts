import { RETRY } from '../world/plan.ts';
import { reading, type PlantedFaults } from './planted-fault.ts';

/** Zones, and one an hour behind it. */
const WEST: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'Europe/London',
  'America/New_York': 'America/Chicago',
  'Asia/Kolkata': 'Asia/Karachi',
  'Pacific/Auckland': 'Pacific/Noumea',
};

/** Documents are misread. The misread document is valid: a set that is refused would prove nothing. */
export const OF_DOCUMENTS: PlantedFaults = {
  // A repeat is known for a second instead of three days.
  'a dedupe window that is too short': () => reading('"window":"3d"', '"window":"1s"'),
  // `on_uncertain: hold` is not heeded.
  'what is uncertain is tried again': () => reading('"on_uncertain":"hold"', '"on_uncertain":"retry"'),
  // The account that did not send the message tries its fallback, too.
  'a fallback that is not handed on': () =>
    reading(/"account":"default","after":"(\d+)m"/g, (number) => `"account":"second","after":"${number}m"`),
  // An account does not remember what it took from another one.
  'a fallback that is taken more than once': () => ({
    write: (_object, _text, values) => !String(values[0]).startsWith('@msg_'),
  }),
  // A message is tried twice only.
  'a schedule of retries that is cut': () => reading(JSON.stringify(RETRY), '["5s"]'),
  // A receiver gets one message an hour more than it should.
  'a limit that is off by one': () =>
    reading(/"per_hour":(\d+)/g, (number) => `"per_hour":${Number(number) + 1}`),
  // An account makes one call a minute more than it should.
  'a pace that is off by one': () =>
    reading(/"per_minute":(\d+)/g, (number) => `"per_minute":${Number(number) + 1}`),
  // A receiver gets one notification more than its throttle allows.
  'a throttle that is off by one': () => reading('"max":4,"per"', '"max":5,"per"'),
  // An incident is notified again after a third of the time.
  'a repeat that comes too early': () => reading('"repeat":"60m"', '"repeat":"20m"'),
  // Its interval is fifteen seconds instead of two minutes.
  'a group that does not wait': () => reading('"interval":"2m"', '"interval":"15s"'),
  // What another incident should hold back is sent.
  'an inhibition that is not heeded': () => reading('"inhibited_by":"k1"', '"inhibited_by":"none"'),
  // What it should hold back is sent.
  'a silence that is not heeded': () => reading('item.key == ', 'item.none == '),
  // The item by which a silence of warnings is decided stays the first one.
  'a hold that is not looked at again': () => ({
    read: (_object, _text, _values, rows) =>
      rows.map((row) =>
        typeof row['value'] === 'string'
          ? { ...row, value: row['value'].replace('"severity":"critical"', '"severity":"warning"') }
          : row,
      ),
  }),
  // The last of a list gets nothing.
  'a receiver that is left out': () => reading(/("numbers":\["[^\]]+),"\d+"\]/g, (others) => `${others}]`),
  // It lasts a year instead of a day.
  'a turn that does not end': () => reading('"every":"1d"', '"every":"366d"'),
  // It stays open for a hundred times as long as it should.
  'an incident that does not expire': () =>
    reading(/"expires":"(\d{3})m"/g, (minutes) => `"expires":"${minutes}00m"`),
  // They end ten minutes before they should.
  'quiet hours that end early': () => reading(/"to":"0(\d):00"/g, (hour) => `"to":"0${Number(hour) - 1}:50"`),
  // The hours of the day are those of a zone an hour to the west.
  'an hour in the wrong time zone': () =>
    reading(/"timezone":"([^"]+)"/g, (zone) => `"timezone":"${WEST[zone] ?? zone}"`),
};
