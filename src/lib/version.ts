/** This hookbell's version, from its package. */
export { version as VERSION } from '../../package.json';
