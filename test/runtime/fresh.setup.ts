/** Before each test file that shares a runtime, the project's modules are as if they had never run. */
import './clean.setup.ts';
import { evaluateAnew } from './modules.ts';

evaluateAnew();
await import('./assets.setup.ts');
