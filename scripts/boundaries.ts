import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { rules } from './boundary-rules.ts';

/** Fewer means that the tool looked past the code: it reports success on nothing. */
const LEAST_MODULES = 150;
const FOLDERS = ['schema', 'src', 'workflows', 'activities', 'demo'];

const tsConfig = extractTSConfig(fileURLToPath(new URL('../tsconfig.json', import.meta.url)));
const { output } = await cruise(
  FOLDERS,
  { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true },
  undefined,
  { tsConfig },
);
const { summary, modules } = output as ICruiseResult;
const own = modules.filter(({ source }) =>
  FOLDERS.some((folder) => source.startsWith(`${folder}/`)),
);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
console.log(`${own.length} modules, ${summary.violations.length} violations`);
if (own.length < LEAST_MODULES) console.error(`fewer than ${LEAST_MODULES} modules were seen`);
process.exitCode = summary.violations.length > 0 || own.length < LEAST_MODULES ? 1 : 0;
