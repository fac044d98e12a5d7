import { describe, expect, it } from 'vitest';
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
  samplesPreview: {
    all: { value: { samples: [{ sample: 'paid', ...previewExamples.answer.one.value }] } },
  },
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

const CASES = Object.entries(SHOWN).flatMap(([name, examples]) =>
  Object.entries(examples).map(([example, { value }]) => [name, example, value] as const),
);

/** The shape of a name that stands in {@link SHOWN}. */
const shapeOf = (name: string) =>
  Object.entries(shapes).find(([shape]) => shape === name)?.[1] ?? expect.fail(`no shape ${name}`);

describe.each(CASES)('%s, as the description shows it: %s', (name, _, value) => {
  it('is understood', () => {
    expect(shapeOf(name).safeParse(value).error).toBeUndefined();
  });

  it('is understood when a newer relay says more', () => {
    const more: unknown = JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? { ...part, of_tomorrow: 'x' }
        : part,
    );
    expect(shapeOf(name).safeParse(more).error).toBeUndefined();
  });
});

describe('an account', () => {
  it('of a relay that does not report its space yet is understood', () => {
    const { storage: _, ...older } = accountExamples.status.status.value;
    expect(shapes.accountStatus.safeParse(older).success).toBe(true);
  });
});
