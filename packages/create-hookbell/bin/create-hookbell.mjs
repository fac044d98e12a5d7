#!/usr/bin/env node
// Read by any Node: one that is too old is refused in a line, before it meets syntax that it does not know.
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
