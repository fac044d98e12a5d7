/** The version of this hookbell. It is the one in package.json: `npm run release` writes it here. */
export const VERSION = '0.1.0';

/** The `User-Agent` by which `hookbell doctor` asks each source's address. */
export const DOCTOR_AGENT = 'hookbell-doctor';
