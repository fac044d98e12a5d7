import type { DoctorCode } from '../src/admin/doctor/api-check.ts';
import type { FieldCode } from '../src/lib/problem.ts';
import type { ReasonCode } from '../src/outbox/state/states.ts';
import type { RejectionCode } from '../src/schema/api-parts.ts';

interface Explained {
  /** What is wrong, in Markdown. */
  readonly what: string;
  /** What to do, in Markdown. */
  readonly fix: string;
  /** The names of its values. */
  readonly params?: readonly string[];
}

/** The codes of errors and warnings in documents and requests: `errors[].code`. One that is missing does not compile. */
export const FIELD_ERRORS: Readonly<Record<FieldCode, Explained>> = {
  required: { what: 'a key or a value is missing', fix: 'add it; the message has an example' },
  'wrong-type': {
    what: 'the value is of another type, such as a number where text belongs',
    fix: 'write it as the message says; YAML reads `yes` and `0151` as text only in quotes',
  },
  malformed: { what: 'the value does not have its form', fix: 'write it as the example in the message' },
  'not-one-of': {
    what: 'the value is none of those that are allowed',
    fix: 'choose one',
    params: ['allowed'],
  },
  'unknown-key': {
    what: 'there is no such key here',
    fix: 'correct its name, or remove it',
    params: ['key'],
  },
  'unknown-name': {
    what: 'nothing has this name: a list, template, account, person, sample …',
    fix: 'correct it (`near` is the closest one), or add what it names',
    params: ['what', 'name', 'near'],
  },
  'out-of-range': {
    what: 'the value is below its minimum or above its maximum',
    fix: 'choose one between them',
    params: ['min', 'max'],
  },
  'too-long': { what: 'a text, a list or a file is too long', fix: 'shorten it', params: ['max'] },
  'too-short': { what: 'a text or a list is too short', fix: 'add to it', params: ['min'] },
  conflict: { what: 'keys do not fit together, or one needs another', fix: 'keep one, or add the other' },
  misplaced: { what: 'the key is for another kind of document, route or gateway', fix: 'remove it' },
  'no-effect': { what: 'the key changes nothing here', fix: 'remove it, or change what makes it useless' },
  duplicate: { what: 'something is there twice', fix: 'rename or remove one' },
  reserved: { what: 'the name is used by hookbell', fix: 'choose another one' },
  template: {
    what: 'a template or a condition cannot be read, or fails',
    fix: 'correct it at the line that is named',
  },
  number: {
    what: 'the text is no phone number, or may be none',
    fix: 'write it with its country code: `+49 …`',
  },
  receiver: {
    what: 'the account cannot reach this receiver, or there is none',
    fix: 'name one that it can reach',
  },
  secret: {
    what: 'a secret is misnamed, wrong or used in a wrong place',
    fix: 'correct it, or name the right one',
  },
  'not-set': {
    what: 'a secret or variable is not set',
    fix: '`npx wrangler secret put NAME`',
    params: ['name'],
  },
  unsafe: { what: 'strangers could misuse this', fix: 'limit it as the message says' },
  unsupported: { what: 'the gateway or the product cannot do this', fix: 'choose another kind or gateway' },
  unreachable: { what: 'a phone or the gateway cannot open the address', fix: 'give a public one' },
  absent: { what: 'the event has no such value', fix: 'correct the path, or give a default' },
  constant: { what: 'the value is the same for all events', fix: 'use one that differs' },
  'many-receivers': { what: 'many people get this', fix: 'check that it is meant' },
  'opted-out': {
    what: 'the receiver has opted out',
    fix: 'remove the suppression if they want messages again',
  },
  'time-zone': { what: 'a time has no zone', fix: 'name one, such as `Europe/Berlin`' },
  hides: {
    what: 'a document of your own has the name of one that hookbell has',
    fix: 'nothing, if it is meant',
  },
  'override-ends': {
    what: 'the change ends an override by hand',
    fix: 'nothing, if it is meant',
    params: ['person', 'until'],
  },
  'still-sends': {
    what: 'a removed account still has messages to send',
    fix: 'wait, or cancel them',
    params: ['waiting'],
  },
  'not-copied': { what: 'the set is in force, but not yet where webhooks read it', fix: 'wait ten minutes' },
  sample: { what: 'a sample does not fit the facts of its file', fix: 'change one of the two' },
  more: { what: 'there are more of these', fix: 'mend the first ones', params: ['left'] },
};

/** The codes of the doctor's findings: `checks[].code`. */
export const FINDINGS: Readonly<Record<DoctorCode, Omit<Explained, 'fix'>>> = {
  delivering: { what: 'messages are sent' },
  paused: { what: 'an account is paused by a person', params: ['by', 'since', 'waiting', 'reason'] },
  'receivers-at-limit': {
    what: 'receivers have had as many messages as they may get in an hour',
    params: ['messages', 'receivers', 'per_hour', 'next_at', 'last_at'],
  },
  'escape-failed': { what: 'the escape channel of an account fails', params: ['failures', 'error'] },
  'outbox-full': { what: 'the outbox is full, and webhooks get 503', params: ['percent'] },
  'outbox-filling': { what: 'the outbox is nearly full', params: ['percent'] },
  'given-up': { what: 'messages were given up', params: ['messages'] },
  uncertain: { what: 'messages may have been sent, and a person has to decide', params: ['messages'] },
  'long-queue': { what: 'messages wait for more than an hour', params: ['waiting', 'oldest_seconds'] },
  'nothing-published': { what: 'there is no configuration yet' },
  'version-invalid': {
    what: 'the deployed code cannot use the active version',
    params: ['version', 'error'],
  },
  'version-active': { what: 'a version is active', params: ['version', 'sources'] },
  moved: { what: 'the deployment names another jurisdiction than its data are in' },
  'copy-right': { what: 'webhooks read the active version' },
  'copy-empty': { what: 'webhooks find no configuration', params: ['version'] },
  'copy-behind': { what: 'webhooks read another version than the active one', params: ['copied', 'version'] },
  'address-missing': { what: 'the gateway has no address', params: ['name'] },
  'address-malformed': { what: 'the address of the gateway has another form', params: ['name'] },
  'address-plain': { what: 'the gateway is called without TLS', params: ['host'] },
  'address-right': { what: 'the gateway has an address', params: ['host'] },
  'address-unlisted': { what: '`GATEWAY_HOSTS` does not list the gateway' },
  'gateway-accepts': { what: 'the gateway accepts messages', params: ['gateway'] },
  'gateway-untested': { what: 'only a message shows whether the gateway works', params: ['gateway'] },
  'login-refused': { what: 'the gateway refuses the login' },
  'gateway-forbids': { what: 'the gateway forbids the call' },
  'gateway-redirects': { what: 'the gateway points elsewhere' },
  'gateway-unreachable': { what: 'the gateway cannot be reached' },
  'gateway-busy': { what: 'the gateway asks to try later' },
  'gateway-silent': { what: 'the gateway does not answer' },
  'no-api': { what: 'there is no API at the address' },
  'login-untested': { what: 'only a message shows whether the gateway accepts the login' },
  'clock-right': { what: 'the clocks agree' },
  'clock-wrong': { what: 'the clocks differ', params: ['apart', 'is'] },
  'override-ended': { what: 'a publish ended an override by hand', params: ['person', 'until', 'list'] },
  'account-refused': {
    what: 'the gateway refused an account, which is paused',
    params: ['failures', 'waiting', 'error', 'at'],
  },
  'gateway-failed': {
    what: 'the gateway failed, and nothing waits any more',
    params: ['failures', 'waiting', 'error', 'at'],
  },
  'gateway-failing': {
    what: 'the gateway fails',
    params: ['failures', 'waiting', 'error', 'at', 'probe_at'],
  },
  'none-refused': { what: 'no webhook was refused' },
  refused: {
    what: 'webhooks were refused; `reason` is the code of the rejection',
    params: ['source', 'times', 'at', 'reason'],
  },
  'secrets-set': { what: 'all secrets are set', params: ['secrets'] },
  'secret-missing': { what: 'a secret is not set', params: ['name', 'used_by'] },
  'token-ignored': { what: 'a token is too short, and ignored' },
  'token-short': { what: 'a token is short' },
  'token-shared': { what: 'two tokens are the same' },
  'access-unreadable': { what: 'the settings of Cloudflare Access cannot be read' },
  'variable-ignored': { what: 'a variable has an unknown value' },
  'sources-sending': { what: 'sources send as expected', params: ['sources'] },
  'source-open': { what: 'a source verifies nothing' },
  'form-open': { what: 'any page can post a form' },
  'form-limited': { what: 'only some pages may post a form', params: ['origins'] },
  'heartbeat-late': {
    what: 'a source is silent for longer than its heartbeat',
    params: ['expected', 'last'],
  },
  'never-sent': { what: 'a source has never sent anything' },
  'source-silent': { what: 'a source has been silent for a week', params: ['last'] },
  'not-urgent': { what: 'an account sends nothing urgent' },
  'device-unwatched': { what: 'an account has no second way to send if its device is offline' },
  'gateway-unwatched': { what: 'an account has no second way to send if its gateway is down' },
  'not-probed': { what: 'some gateways were not called', params: ['accounts'] },
  'not-checked': { what: 'a check failed' },
};

/** The codes of refused webhooks. What to do is in `assets/remedies.json`. */
export const REJECTIONS: Readonly<Record<RejectionCode, string>> = {
  missing_header: 'a header that the scheme needs is missing or empty',
  missing_field: 'a query parameter, field, path token or part of the signature is missing',
  malformed: 'what should prove the sender does not have its form',
  stale: 'its time is further from now than `tolerance` allows',
  unknown_key: 'it is signed with a key that the source does not accept',
  mismatch: 'it is signed with another secret, or its content or address was changed',
  misconfigured: 'the secret of the source cannot be used',
  unavailable: 'a server that the check needs cannot be reached',
  secret_missing: 'the source names no secret, or one that is not set',
  unconfirmed: 'the address that confirms a subscription could not be called',
  pairing_busy: 'too many keys were handed over within a second',
  pairing_closed: 'a key was handed over without an open pairing window',
  pairing_conflict: 'two different keys were handed over in one window',
  'unknown-source': 'no source has this address',
  'method-not-allowed': 'it was sent with a method that the source does not take',
  'body-too-large': 'it is too large',
  'body-cut-off': 'the body ended early',
  'malformed-body': 'the body or the query cannot be read',
  'unsupported-type': 'the body has a type, charset or encoding that is not accepted',
  'not-accepted': 'there was no memory for a body of its size',
  limited: 'the source is over its `limit`',
  origin: 'a form was sent from a page that is not in `origins`',
  'no-origin': 'the browser does not say from which page a form was sent',
  'form-faults': 'fields of a form are missing or wrong; `field` is the first',
  spam: 'a form was taken for spam; `spam` is the check that found it',
};

/** The codes of messages, beside `reason`. */
export const REASONS: Readonly<Record<ReasonCode, Explained>> = {
  refused: {
    what: 'the gateway says that it does not send it',
    fix: 'read its words in the attempt',
    params: ['status', 'attempts'],
  },
  unauthorized: {
    what: 'the gateway rejects the login, so the account is paused',
    fix: 'set the secrets again, then resume the account',
    params: ['status'],
  },
  'login-missing': {
    what: 'a secret of the login is not set, so the account is paused',
    fix: 'set it, then resume the account',
  },
  forbidden: {
    what: 'the gateway forbids the call',
    fix: 'nothing at first; ask its operator if it goes on',
    params: ['status', 'attempts'],
  },
  redirected: {
    what: 'the gateway points to another address',
    fix: 'correct its base URL',
    params: ['status', 'attempts'],
  },
  busy: {
    what: 'the gateway asks to try again later',
    fix: 'nothing; retry it if it is dead',
    params: ['status', 'attempts'],
  },
  rejected: {
    what: 'the gateway will never take this call',
    fix: 'read its words in the attempt, and correct the route or the receiver',
    params: ['status', 'attempts'],
  },
  'not-sendable': {
    what: 'the message does not fit the gateway, so no call was made',
    fix: 'correct the route, and replay the event',
    params: ['attempts'],
  },
  'server-error': {
    what: 'the gateway failed',
    fix: 'nothing; retry it if it is dead',
    params: ['status', 'attempts'],
  },
  unreachable: {
    what: 'the call did not reach the gateway',
    fix: 'check its address, and whether it runs',
    params: ['status', 'attempts'],
  },
  'no-answer': {
    what: 'no answer came, so it may have been sent',
    fix: 'ask the receiver before you retry it',
    params: ['status', 'attempts'],
  },
  'unclear-answer': {
    what: 'the answer does not say whether it was sent',
    fix: 'read the answer in the attempt',
    params: ['status', 'attempts'],
  },
  interrupted: {
    what: 'hookbell stopped during the call, so it may have been sent',
    fix: 'ask the receiver before you retry it',
    params: ['attempts'],
  },
  expired: {
    what: 'it became older than `expires` of its route',
    fix: 'find out what held it back; retry it if it still matters',
  },
  'no-first-contact': {
    what: 'the new contacts of the day were used up',
    fix: 'raise `new_contacts`, or retry it',
  },
  'opted-out': {
    what: 'its receiver has opted out',
    fix: 'remove the suppression if they want messages again',
  },
  cancelled: { what: 'a person cancelled it', fix: 'retry it if that was wrong', params: ['by'] },
  summarized: { what: 'a digest includes it', fix: 'nothing', params: ['message'] },
  outdated: { what: 'its news was outdated or held back', fix: 'nothing' },
  'handed-on': {
    what: 'it waited too long, so another account sends its fallback',
    fix: 'find out what held it back',
    params: ['account'],
  },
  'fallback-refused': {
    what: 'the other account did not take its fallback',
    fix: 'correct that account, as the sentence says',
  },
  'other-text': {
    what: 'its template or one of its fields failed, so another text is sent',
    fix: 'correct the template as the sentence says',
  },
  'no-links': { what: 'its links are left out', fix: 'set `PUBLIC_URL`' },
};
