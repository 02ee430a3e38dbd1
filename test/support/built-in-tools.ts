import { assertProposable } from '../../src/api/criterion-fields.ts';
import * as tools from '../../src/tools/built-in.ts';

/** As a worker offers them. */
export const builtInTools = tools.builtInTools(assertProposable);
