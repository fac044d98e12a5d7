/** Which hookbell this is: the version of its package. */
export { version as VERSION } from '../../package.json';
