import type { DoctorCode } from '../src/admin/doctor/codes.ts';
import type { FieldCode } from '../src/lib/problem.ts';

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
    what: 'a secret is missing, misnamed or used in a wrong place',
    fix: 'set it, or name the right one',
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
  'address-right': { what: 'the gateway has an address' },
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
  'secret-misnamed': { what: 'a secret has a name for another purpose' },
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
