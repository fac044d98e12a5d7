import type * as core from 'zod/v4/core';
import type { ApiRoute } from '../src/admin/api/route.ts';
import { configRoutes } from '../src/admin/config/config.ts';
import { managedRoutes } from '../src/admin/config/managed.ts';
import { onCallRoutes } from '../src/admin/config/on-call.ts';
import { silenceRoutes } from '../src/admin/config/silences.ts';
import { cancelManyRoutes } from '../src/admin/messages/cancel-many.ts';
import { doneRoutes } from '../src/admin/done.ts';
import { incidentRoutes } from '../src/admin/messages/incidents.ts';
import { findNumberRoutes } from '../src/admin/messages/find-number.ts';
import { messageRoutes } from '../src/admin/messages/messages.ts';
import { replayManyRoutes } from '../src/admin/messages/replay-many.ts';
import { replayRoutes } from '../src/admin/messages/replay.ts';
import { retryManyRoutes } from '../src/admin/messages/retry-many.ts';
import { previewRoutes } from '../src/admin/preview/preview.ts';
import { releaseRoutes } from '../src/admin/release.ts';
import { sessionRoutes } from '../src/admin/sessions.ts';
import { suppressionRoutes } from '../src/admin/suppressions.ts';
import { KIND_WORDS, MESSAGE_KINDS } from '../src/gateway/kinds.ts';
import { wordsOfKinds } from './descriptions.ts';

const account = 'The account that sends; by default `default`.';

const bodyOf = ({ body }: ApiRoute): core.$ZodType => {
  if (body === undefined) throw new Error('a route that has no body');
  return body;
};

/** The bodies that are not documents: their schemas, by the group of their descriptions. */
export const REQUEST_BODIES = {
  set: bodyOf(configRoutes.publishConfig),
  takeover: bodyOf(managedRoutes.takeOverConfig),
  preview: bodyOf(previewRoutes.previewSource),
  bulk: bodyOf(retryManyRoutes.retryMessages),
  cancel: bodyOf(cancelManyRoutes.cancelMessages),
  incidents: bodyOf(incidentRoutes.acknowledgeIncidents),
  send: bodyOf(messageRoutes.sendMessage),
  newOverride: bodyOf(onCallRoutes.addOverride),
  newSilence: bodyOf(silenceRoutes.addSilence),
  silenceCondition: bodyOf(silenceRoutes.previewSilence),
  newSuppression: bodyOf(suppressionRoutes.putSuppression),
  newDone: bodyOf(doneRoutes.setDone),
  newRelease: bodyOf(releaseRoutes.setRelease),
  numberSearch: bodyOf(findNumberRoutes.findNumber),
  replay: bodyOf(replayRoutes.replayEvent),
  signIn: bodyOf(sessionRoutes.signIn),
  invite: bodyOf(sessionRoutes.invite),
  replayMany: bodyOf(replayManyRoutes.replayEvents),
} as const;

const SILENCED = {
  source: 'The name of the source.',
  type: 'The type of the event.',
  route: 'The name of the route.',
  group: 'The values that the incidents of a group share, as its `group.by` makes them.',
  keys: 'The keys of the incidents. Any other incident of the route stays loud.',
};

/** The meaning of their keys, as in `descriptions.ts`. */
export const REQUEST_DESCRIPTIONS = {
  set: {
    sources:
      'All sources by id. Collections that are left out become empty, since the set replaces the previous one.',
    templates: 'All templates by their names.',
    recipients: 'All recipients lists by their names.',
    accounts: 'All accounts by their names; `default` needs no document.',
    silences: 'All silences by their names. Silences that were added by hand are not included.',
    providers: 'Providers of your own by their ids. Those that are built in are not included.',
    files:
      'With `managed=true`: the texts of the files, by their paths in the folder, such as `sources/shop.yaml`. At most 1,000,000 bytes as JSON.',
  },
  takeover: { name: 'The name of the person, for the list of versions.' },
  preview: {
    payload: 'The parsed body. Exactly one of `payload`, `body`, `sample`, `samples` and `last` is given.',
    body: 'The text of the body, parsed by the `content-type` in `headers`.',
    headers: 'Headers of the webhook.',
    query: 'Query parameters of the webhook.',
    sample: "The name of a sample of the source's provider, see `GET /providers/{id}`.",
    samples: "`true`: all samples of the source's provider.",
    last: 'The number of newest events to render again and compare with the messages that were sent.',
    draft: 'A source to preview in place of the published one.',
    drafts: 'Documents by name, in place of published ones or in addition to them.',
  },
  'preview.drafts': {
    providers: 'Files of senders by their ids.',
    sources: 'Sources by their ids.',
    templates: 'Templates by their names.',
    recipients: 'Recipients lists by their names.',
  },
  newOverride: {
    person: 'The name of the person who takes over.',
    from: "When it begins, in the rotation's time zone; by default now. One that has begun begins now.",
    to: 'When it ends, at most 366 days from now.',
  },
  newSilence: {
    of: 'What is silenced, as its texts are; no sign has a meaning. With `when`, both must hold.',
    when: 'The items to silence: a Liquid condition without braces, as in a route.',
    from: 'The start; by default now.',
    until: 'The end.',
    reason: 'The reason, for people who see the silence.',
  },
  'newSilence.of': SILENCED,
  silenceCondition: {
    of: 'What it would silence, as in a silence.',
    when: 'A Liquid condition without braces, as in a silence.',
  },
  'silenceCondition.of': SILENCED,
  newSuppression: {
    reason: 'The reason, for people.',
    address: 'True if the receiver is not a number, such as a topic or a chat.',
  },
  newRelease: {
    version: 'The newest version that is known.',
    since: 'The version of the relay.',
    changes: 'The changes after `since`, as the changelog lists them.',
  },
  newDone: {
    card: 'The subject of the card, such as `incidents:monitor`.',
    mark: 'A number that grows with each occurrence, such as a time in milliseconds. The card is shown again when its number is higher than this.',
  },
  numberSearch: { number: 'A phone number, in any format.' },
  replay: {
    routes: "Only these routes of the event's source; by default all.",
    only: '`failed`: only what failed the first time: messages that are dead, expired or cancelled by a person (unless a fallback was sent), and routes that could not be rendered. Messages that were sent, are waiting or are `uncertain` are skipped.',
  },
  signIn: {
    token: 'A token of this relay. Exactly one of `token` and `code` is given.',
    code: 'A one-time code of this relay, see `POST /session/link`.',
    name: 'The name of whoever signs in with a token, for records of actions. Without it, records show `token`, `operator` or `viewer`.',
    replace: '`true`: sign in even if the browser is signed in as somebody else, and end that session.',
  },
  invite: {
    name: 'The name of the invited person, for records of actions.',
    role: 'Their role.',
  },
  replayMany: {
    source: 'Only events of this source.',
    state: 'Only events in this state.',
    type: 'Only events of this type, as the provider names it.',
    since: 'Only events received since then: a time, or how long ago.',
    until:
      'Only events received before then: a time, or how long ago. Events that arrive after the replay began are never included.',
    text: 'Only events with this text in a key or a value of the payload, ignoring case.',
    all: '`true`: all stored events of every account. Cannot be combined with a filter.',
    routes: "Only these routes of each event's source; by default all.",
    only: '`failed`: only what failed the first time, as in the replay of one event.',
    cursor: 'The `next_cursor` of the previous response, to continue with the same filters.',
  },
  bulk: {
    state: 'Only messages in this state.',
    source: 'Only messages of this source.',
    event: 'Only messages of this event.',
    phone: 'Only messages to this receiver, in digits.',
    since: 'Only messages accepted since then: a time, or how long ago.',
    cursor: 'The `next_cursor` of the previous response, to continue there.',
  },
  cancel: {
    state: 'Only messages in this state.',
    source: 'Only messages of this source.',
    event: 'Only messages of this event.',
    phone: 'Only messages to this receiver, in digits.',
    since: 'Only messages accepted since then: a time, or how long ago.',
    all: '`true`: all waiting messages of every account. Cannot be combined with a filter.',
    cursor: 'The `next_cursor` of the previous response, to continue there.',
  },
  incidents: {
    incidents: 'The ids of up to 500 incidents. Cannot be combined with a filter.',
    source: 'Only incidents of this source.',
    group: 'Only incidents of this group: its values with `, ` between them, or one of them.',
    all: '`true`: all open incidents of every account. Cannot be combined with a filter.',
    cursor: 'The `next_cursor` of the previous response, to continue with the same filters.',
  },
  ...wordsOfKinds('send', (kind) => ({
    ...KIND_WORDS[kind],
    account,
    to: MESSAGE_KINDS[kind].hasReceiver
      ? 'The receiver: digits that start with the country code, or an international number as people write it.'
      : 'Refused: a status goes to all contacts and has no receiver.',
  })),
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
