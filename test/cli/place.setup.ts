import { placeReady } from './support.ts';

await placeReady();
