import { fileURLToPath } from 'node:url';
import { checkStatements } from './statements/check.ts';

/** Fewer means that the check looked past the code. */
const LEAST_STATEMENTS = 150;

const { statements, problems } = await checkStatements(
  fileURLToPath(new URL('..', import.meta.url)),
);
for (const { place, message } of problems) console.error(`${place}: ${message}`);
console.log(`${statements} SQL statements, ${problems.length} problems`);
process.exitCode = problems.length > 0 || statements < LEAST_STATEMENTS ? 1 : 0;
