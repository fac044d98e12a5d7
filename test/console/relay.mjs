// Parts of the relay that tests of pages compare with. They are typed for Workers, and pages for browsers: the types
// beside this file have what is asked of them here.
export { documentSchemas, EMPTY_SET, sendSchema } from '../../src/config/schema.ts';
export { isFinal, MESSAGE_STATES } from '../../src/outbox/state/states.ts';
export { providers } from '../../src/provider/catalog/catalog.ts';
