import { configDefaults, defineConfig } from 'vitest/config';
import { ConformanceReporter } from '../conformance/page/report.ts';

/** Providers' own packages check what the tests sign. Run by `npm run test:sdks`, which installs them. */
export default defineConfig({
  test: {
    include: ['test/sdks/*.test.ts'],
    reporters: [...configDefaults.reporters, new ConformanceReporter()],
    setupFiles: ['test/clock/setup-date.ts'],
    testTimeout: 60_000,
  },
});
