export { freePort } from '../../../cli/dev/workerd/workerd.ts';
