// Parts of the relay that tests of pages compare with. They are typed for Workers, and pages for browsers: the types
// beside this file have what is asked of them here.
export { accountPolicy } from '../../src/config/compiled/account-policy.ts';
export { documentSchemas, EMPTY_SET, sendSchema } from '../../src/config/documents/schema.ts';
export { providers } from '../platform/providers.ts';
export { REFUSALS } from '../../src/admin/request/input.ts';
