/** The version of this hookbell. It is the one in package.json: `npm run release` writes it here. */
export const VERSION = '0.1.0';
