// Imported first by each process that runs the command line here: its pauses between two looks at a relay are a moment.
import { syncBuiltinESMExports } from 'node:module';

const timers = process.getBuiltinModule('node:timers/promises');
const { setTimeout: pause } = timers;
timers.setTimeout = (_ms, value, options) => pause(20, value, options);
syncBuiltinESMExports();
