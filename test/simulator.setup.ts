import type { TestProject } from 'vitest/node';
import { startSimulator } from '../simulator/simulator.ts';

declare module 'vitest' {
  interface ProvidedContext {
    simulatorUrl: string;
  }
}

/** Starts the gateway simulator on a free port for the whole run, and ends it with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const simulator = await startSimulator({ port: 0 });
  project.provide('simulatorUrl', simulator.url);
  return () => simulator.close();
}
