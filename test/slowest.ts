import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Names the files that a run spent the most time on. */
export class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ path: module.relativeModuleId, ...module.diagnostic() }))
      .sort((a, b) => b.duration - a.duration)
      .slice(0, SHOWN);
    const lines = slowest.map(
      ({ duration, path }) => `${(duration / 1_000).toFixed(1).padStart(6)} s  ${path}`,
    );
    process.stdout.write(`\nThe slowest files:\n${lines.join('\n')}\n`);
  }
}
