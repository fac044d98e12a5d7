export { freePort } from '../../../runtime/workerd.ts';
