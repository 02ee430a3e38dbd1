import type { IConfiguration } from 'dependency-cruiser';

/** Where code may run follows from its folder; `npm run check:boundaries` proves it. */
export const rules = {
  forbidden: [
    {
      name: 'pure-zone-has-no-effects',
      comment: 'schema/, src/goal/ and workflows/ decide; everything else acts.',
      severity: 'error',
      from: { path: '^(schema|src/goal|workflows)/' },
      to: {
        path: '.*',
        pathNot:
          '^(schema|src/goal|workflows)/|^node_modules/(xstate|zod|@temporalio/(workflow|common))/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'rules-know-no-temporal',
      severity: 'error',
      from: { path: '^(schema|src/goal)/' },
      to: { path: '^node_modules/@temporalio|^workflows/' },
    },
    {
      name: 'no-zod-in-workflows',
      comment: 'zod multiplies the memory of a cached workflow; schemas give types there.',
      severity: 'error',
      from: { path: '^(src/goal|workflows)/' },
      to: {
        path: '^(node_modules/zod|schema)/',
        pathNot: '^schema/problem\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'service-knows-no-fake',
      severity: 'error',
      from: { path: '^(schema|src|workflows|activities)/' },
      to: { path: '^(test|demo|bench)/' },
    },
    {
      name: 'console-knows-no-service',
      comment:
        'It runs in browsers and speaks to the service over HTTP, whose types are generated.',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: '^(src|workflows|activities)/', pathNot: '^src/ui/' },
    },
    {
      name: 'client-knows-no-service',
      comment: 'Applications load it without any of the service.',
      severity: 'error',
      from: { path: '^src/library/client\\.ts$' },
      to: { path: '^(schema|src|workflows|activities)/', pathNot: '^src/library/api\\.d\\.ts$' },
    },
    {
      name: 'service-knows-no-console',
      severity: 'error',
      from: { path: '^(schema|src|workflows|activities)/', pathNot: '^src/ui/' },
      to: { path: '^src/ui/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(schema|src|workflows|activities)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
} satisfies IConfiguration;
