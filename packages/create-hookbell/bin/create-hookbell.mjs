#!/usr/bin/env node
// Any Node can read this file: one that is too old gets a clear message instead of a syntax error.
var major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  process.stderr.write(
    'create-hookbell: hookbell needs Node 20 or newer, and this is Node ' +
      process.versions.node +
      ': install a newer one from https://nodejs.org\n',
  );
  process.exitCode = 1;
} else {
  void import('../lib/main.mjs').then(function (own) {
    return own.main(process.argv.slice(2));
  });
}
