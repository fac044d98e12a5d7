/** For programs that start runtimes: a signal alone would leave those behind, an exit ends them. Each of them listens for it. */
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.setMaxListeners(50);
