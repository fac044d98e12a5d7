/** Tests read phone numbers and sources without a configuration, with which the facts come to an isolate. */
import facts from '../../assets/facts.json?raw';
import { parseFacts, useFacts } from '../../src/config/facts.ts';

useFacts(parseFacts(facts));
