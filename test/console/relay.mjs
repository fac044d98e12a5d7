// Parts of the relay that tests of pages compare with. They are typed for Workers, and pages for browsers: the types
// beside this file have what is asked of them here.
export { eventFilter } from '../../src/admin/messages/events.ts';
export { accountPolicy } from '../../src/config/compile/account-policy.ts';
export { documentSchemas, EMPTY_SET, sendSchema } from '../../src/config/documents/schema.ts';
export { isFinal, MESSAGE_STATES } from '../../src/outbox/state/states.ts';
export { providers } from '../platform/providers.ts';
export { PAIRING_MS } from '../../src/registry/pairing.ts';
export { MAX_REJECTIONS } from '../../src/registry/rejections.ts';
export { SPAM_KEPT_MS } from '../../src/registry/spam.ts';
export { REFUSALS } from '../../src/admin/request/input.ts';
