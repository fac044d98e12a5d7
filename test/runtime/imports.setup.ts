/** Before all else in each runtime: modules that were fetched are not asked for again. */
import { findHere } from './modules.ts';

findHere();
