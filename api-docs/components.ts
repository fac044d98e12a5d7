import * as z from 'zod';
import type * as core from 'zod/v4/core';
import { moment, versionNumber } from '../src/admin/request/input.ts';
import { LIMIT, MAX_LIMIT, MIN_LIMIT, numberCursor, pageParams } from '../src/admin/request/pages.ts';
import { accountSchema } from '../src/config/documents/account-schema.ts';
import { recipientsSchema } from '../src/config/documents/recipients-schema.ts';
import { fallbackSchema, templateSchema } from '../src/config/documents/schema.ts';
import { KIND_NAMES, KIND_WORDS } from '../src/gateway/kinds.ts';
import { verifySchema } from '../src/signature/scheme.ts';
import { rsaSchema } from '../src/signature/schemes/rsa.ts';
import { tokenSchema } from '../src/signature/schemes/token.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { DOCUMENTS, groupsOf, literalOf } from './groups.ts';
import { REQUEST_BODIES } from './request-bodies.ts';
import { LISTED } from '../src/admin/config/api-documents.ts';
import { asJson } from '../src/schema/api-parts.ts';

const pascal = (kind: string): string =>
  kind.replaceAll(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase());

/** The description's names for the objects of each kind, such as `LinkPreviewTemplate`. */
function namesOfKinds(group: string, named: (kind: string) => string) {
  return Object.fromEntries(
    KIND_NAMES.map((kind) => [`${group}.${kind}`, [named(pascal(kind)), KIND_WORDS[kind].kind] as const]),
  );
}

/** The description's names for the objects of each scheme. Some schemes have several ({@link OPTIONS}). */
const namesOfSchemes = () =>
  Object.fromEntries(
    Object.entries(DESCRIPTIONS).flatMap(([group, words]) =>
      'scheme' in words && group !== 'verify.token' && group !== 'verify.rsa'
        ? [[group, [pascal(group.replace('.', '-')), words.scheme] as const]]
        : [],
    ),
  );

/** The description's names for the objects of a group, and their descriptions. */
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  source: ['Source', 'A third-party system that posts webhooks to `/hooks/{id}`.'],
  route: ['Route', 'A condition, a template and receivers.'],
  ...namesOfKinds('template', (kind) => `${kind}Template`),
  ...namesOfKinds('fallback', (kind) => `${kind}Fallback`),
  ...namesOfKinds('send', (kind) => `Send${kind}`),
  ...namesOfSchemes(),
  'verify.timestamp': ['SignatureTime', 'The time of signing.'],
  http: ['HttpGateway', 'A gateway that a document declares.'],
  'http.call': ['HttpRequest', 'The request for one kind of message.'],
  answer: ['HttpAnswer', 'The meaning of answers.'],
  'answer.rule': ['HttpAnswerRule', 'A meaning that overrides the status.'],
  'recipients.people': ['Person', 'The number and the addresses of a receiver.'],
  'recipients.rotation': ['Rotation', 'The turns of people.'],
  'recipients.rotation.shifts': ['Shift', 'Hours of the day that other people cover.'],
  'recipients.rotation.overrides': ['Override', 'Somebody takes over from the one whose turn it is.'],
  'route.incident': ['IncidentRule', 'The rules that make items one problem over time.'],
  'route.group': ['GroupRule', 'The rules that put items into one notification, and when it is due.'],
  throttle: ['Throttle', 'At most `max` messages in any `per`.'],
  silence: ['Silence', 'A period in which nobody is notified of matching items.'],
  provider: ['ProviderFile', 'A kind of sender: `providers/{id}.yaml`.'],
  newOverride: ['NewOverride', 'Somebody who takes over.'],
  newSilence: ['NewSilence', 'A silence that is added by hand.'],
  silenceCondition: ['SilenceCondition', 'A condition, to count what it would silence.'],
  newSuppression: ['NewSuppression', 'The reason why a receiver is opted out.'],
  newRelease: ['NewRelease', 'A version of hookbell that is newer than the relay.'],
  newDone: ['NewDone', 'A card of the console’s first page that somebody has marked as done.'],
  numberSearch: ['NumberSearch', 'The number to look for.'],
  set: ['NewConfigSet', 'A whole set of documents.'],
  takeover: ['Takeover', 'The person who takes over a configuration that is managed in git.'],
  preview: ['PreviewRequest', 'A webhook, and optionally a draft of its source.'],
  bulk: ['BulkRetry', 'The messages to retry.'],
  invite: ['NewInvitation', 'The invited person, and their role.'],
  signIn: ['SignIn', 'The credentials that open a session.'],
  replay: ['Replay', 'The part of an event to send again; everything by default.'],
  replayMany: [
    'BulkReplay',
    'The events to replay, which match all filters, and the part of them to send again.',
  ],
  incidents: ['BulkIncidents', 'The incidents to change: by their ids, or all that match all filters.'],
  cancel: ['BulkCancel', 'The waiting messages to cancel, which match all filters.'],
};

const UNIONS: readonly (readonly [core.$ZodType, string, string])[] = [
  [templateSchema, 'Template', 'A gateway send call with Liquid text in its parameters.'],
  [fallbackSchema, 'Fallback', 'A message that is sent in place of another. It has no fallback itself.'],
  [verifySchema, 'Verify', "The verification of a source's requests."],
  [rsaSchema, 'VerifyRsa', DESCRIPTIONS['verify.rsa'].scheme],
  [tokenSchema, 'VerifyToken', DESCRIPTIONS['verify.token'].scheme],
  [REQUEST_BODIES.send, 'NewMessage', 'A message to send at once. Its parameters are sent as they are.'],
];

/** By the value that decides which one it is. */
const OPTIONS: Readonly<Record<string, string>> = {
  signed: 'VerifyRsaSignature',
  sns: 'VerifyRsaCertificate',
  header: 'VerifyTokenInHeader',
  query: 'VerifyTokenInQuery',
  path: 'VerifyTokenInPath',
  body: 'VerifyTokenInBody',
};

/** The group that an object's descriptions are under. */
export const GROUPS: ReadonlyMap<core.$ZodType, string> = new Map([
  ...Object.entries({ ...DOCUMENTS, ...REQUEST_BODIES }).flatMap(([root, schema]) => [
    ...groupsOf(schema, root),
  ]),
  ...LISTED.flatMap(({ schema, group }) => [...groupsOf(schema, group)]),
]);

/**
 * Gives the schemas of the Worker the names that the description has for them; the schemas themselves do not know the
 * names.
 */
function nameSchemas(): void {
  const { globalRegistry } = z;
  const named = new Map<string, core.$ZodType>();
  for (const [root, schema] of Object.entries({ ...DOCUMENTS, ...REQUEST_BODIES })) {
    for (const [object, group] of groupsOf(schema, root)) {
      const [id, description] = NAMES[group] ?? [];
      if (id === undefined || description === undefined) continue;
      // A provider's `source` has some of the keys of a source, so it is another object.
      if ((named.get(id) ?? object) === object) globalRegistry.add(object, { id, description });
      if (!named.has(id)) named.set(id, object);
    }
  }
  for (const [schema, id, description] of UNIONS) globalRegistry.add(schema, { id, description });
  for (const option of [...rsaSchema.def.options, ...tokenSchema.def.options]) {
    const id = OPTIONS[literalOf(option, 'format') ?? literalOf(option, 'in') ?? ''];
    if (id !== undefined) globalRegistry.add(option, { id });
  }
  globalRegistry.add(recipientsSchema, { id: 'Recipients', description: 'A named list of receivers.' });
  globalRegistry.add(accountSchema, {
    id: 'Account',
    description:
      'One gateway login, with its pace and other settings. Keys that are left out have their defaults.',
  });
}

/** A query writes numbers as text, and JSON Schema cannot see what code checks. */
function shapeParameters(): void {
  const { globalRegistry } = z;
  const limit = { minimum: MIN_LIMIT, maximum: MAX_LIMIT, default: LIMIT };
  globalRegistry.add(pageParams.limit, asJson({ type: 'integer', ...limit }));
  globalRegistry.add(numberCursor, asJson({ type: 'string', pattern: '^\\d{1,15}$' }));
  globalRegistry.add(versionNumber, asJson({ type: 'integer', minimum: 1 }));
  globalRegistry.add(moment, asJson({ type: 'string', examples: ['2h', '2026-01-31T12:00:00Z'] }));
}

nameSchemas();
shapeParameters();
