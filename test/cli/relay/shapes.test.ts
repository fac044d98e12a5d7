import { expect, it } from 'vitest';
import * as shapes from '../../../cli/relay/shapes.ts';
import { accountExamples } from '../../../openapi/examples/accounts.ts';
import {
  activatedExamples,
  publishedExamples,
  rejectionExamples,
  releasedExamples,
  spamExamples,
  setExamples,
  versionExamples,
} from '../../../openapi/examples/config.ts';
import { eventExamples } from '../../../openapi/examples/events.ts';
import { incidentExamples } from '../../../openapi/examples/incidents.ts';
import { messageExamples } from '../../../openapi/examples/messages.ts';
import { onCallExamples } from '../../../openapi/examples/on-call.ts';
import { pairingExamples, previewExamples } from '../../../openapi/examples/preview.ts';
import { sessionExamples } from '../../../openapi/examples/sessions.ts';
import { silenceExamples } from '../../../openapi/examples/silences.ts';
import { suppressionExamples } from '../../../openapi/examples/suppressions.ts';
import type { Examples } from '../../../openapi/spec.ts';

/** Every shape, with what the description shows of it. */
const SHOWN: Readonly<Record<keyof typeof shapes, Examples>> = {
  message: { ...messageExamples.one, ...messageExamples.queued, ...messageExamples.retried },
  messageList: messageExamples.page,
  event: eventExamples.one,
  eventList: eventExamples.page,
  incident: { ...incidentExamples.one, ...incidentExamples.resolved },
  incidentList: incidentExamples.page,
  openIncidents: incidentExamples.summary,
  rejectionList: rejectionExamples,
  rejectionShape: spamExamples,
  releasedShape: releasedExamples,
  versionList: versionExamples,
  published: activatedExamples,
  dryRun: publishedExamples,
  configSet: setExamples,
  preview: { one: previewExamples.answer.one },
  samplesPreview: { all: { value: { samples: [{ sample: 'paid', ...previewExamples.answer.one.value }] } } },
  lastPreview: { last: previewExamples.answer.last },
  accountStatus: { ...accountExamples.status, ...accountExamples.paused },
  cancelled: messageExamples.cancelledMany,
  bulk: messageExamples.bulkDone,
  replayed: eventExamples.replayed,
  replayedMany: eventExamples.replayedMany,
  pairing: { ...pairingExamples.any, ...pairingExamples.closed },
  pairedKey: pairingExamples.key,
  sessionLink: sessionExamples.link,
  suppression: suppressionExamples.one,
  suppressionList: suppressionExamples.page,
  silence: { ...silenceExamples.added, hand: silenceExamples.ended.hand },
  foundNumber: eventExamples.foundNumber,
  addedSilence: silenceExamples.added,
  silenceLook: silenceExamples.look,
  silenceList: silenceExamples.page,
  onCall: onCallExamples.now,
  recipientsPage: {
    list: { value: { items: [{ name: 'team', rotation: {} }, { name: 'owners' }], next_cursor: null } },
  },
  namedDocuments: { list: { value: { items: [{ id: 'shop' }, { name: 'paid' }], next_cursor: null } } },
};

/** Each object with a key that this version does not know. */
const ofTomorrow = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? { ...part, of_tomorrow: 'x' } : part,
  );

it('every answer is understood as the description shows it, also when a newer relay says more', () => {
  for (const [name, shape] of Object.entries(shapes)) {
    const shown = Object.entries(SHOWN).find(([one]) => one === name)?.[1] ?? expect.fail(`no ${name}`);
    for (const [example, { value }] of Object.entries(shown))
      for (const given of [value, ofTomorrow(value)])
        expect([name, example, shape.safeParse(given).error]).toEqual([name, example, undefined]);
  }
});

it('an account of a relay that does not report its space yet is understood', () => {
  const { storage: _, ...older } = accountExamples.status.status.value;
  expect(shapes.accountStatus.safeParse(older).success).toBe(true);
});
