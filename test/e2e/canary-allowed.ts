import type { Allowance } from './canary-search.ts';
import { MESSAGE_TEXT, PAIRED_KEY, PAYLOAD_TEXT, PHONE_NUMBERS, QUIET_TEXT } from './canary-values.ts';

/** Rows and files of accounts' objects, and the answers to admins that are about events and messages. */
const DELIVERY =
  /^(row|file) objects\/relay-Outbox\/|^answer \w+ \/admin\/api\/v1\/(events|messages|sources\/[^/]+\/preview)(\/|$)/;

const words = (canary: string): Allowance => ({
  canary,
  place: DELIVERY,
  why: 'an event is kept as it came, and so are the messages that were made of it',
});

/** All that may stand anywhere. */
export const ALLOWED: readonly Allowance[] = [
  {
    canary: MESSAGE_TEXT.name,
    place: /^subjects of the tail$/,
    why: 'an event is named by words of its payload, to those who may read payloads',
  },
  words(PAYLOAD_TEXT.name),
  words(MESSAGE_TEXT.name),
  words(PHONE_NUMBERS.name),
  {
    canary: QUIET_TEXT.name,
    place: /^file objects\/relay-Outbox\//,
    why: 'it was kept until it was sent; SQLite overwrites what is deleted later, not at once',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^answer POST .*\/sources\/tasks\/pair\/key, once$/,
    why: 'shown once to the admin who waits for it, to be set as a secret',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^answer POST \/hooks\/tasks handshake$/,
    why: 'the provider wants its own key back, as it sent it',
  },
  {
    canary: PAIRED_KEY.name,
    place: /^file objects\/relay-Registry\//,
    why: 'it was kept until it was shown; SQLite overwrites what is deleted later, not at once',
  },
  {
    canary: 'GATEWAY_EMAIL',
    place:
      /^(row|file) objects\/(relay-Registry|kv-KvStore)\/.*( versions\.documents| removed_accounts\.document| kv\.value|-wal|\.sqlite)$|^answer \w+ \/admin\/api\/v1\/(sources|accounts|templates)\/mistake(\/preview)?$/,
    why: 'a shop may want its customers to write to that address, so a document may have it, and errors quote it',
  },
];
