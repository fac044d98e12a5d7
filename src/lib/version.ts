/** This hookbell's version: the one in package.json, which `npm run release` writes here. */
export const VERSION = '0.1.0';
