#!/usr/bin/env node
// An evening at the page in Firefox: see lib_evening.mjs.
import { run } from './lib.mjs';
import { evening } from './lib_evening.mjs';

await run(() => evening('firefox'));
