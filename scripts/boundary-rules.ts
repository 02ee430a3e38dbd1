import type { IConfiguration } from 'dependency-cruiser';

/**
 * The layers of the service, the lowest first: what stands here may import, also types, only from
 * what stands above it in this list and from itself. So no two of them import each other, and there
 * are no circles among them. docs/adr/0020 gives the reasons.
 */
export const layers = [
  'schema', // what callers and the database see
  'src/contract', // interfaces and plain types between the others
  'src/telemetry', // what is counted and traced of the work
  'src/secrets',
  'src/attachments', // what a file's bytes are
  'src/shell', // what a command's text says
  'src/reply', // what a model's text says
  'src/policy', // which calls run, ask or are refused
  'src/goal', // the rules that the workflow bundles
  'src/record', // pure rules of what a turn leaves in the record
  'src/proof', // what receipts prove
  'src/process',
  'src/net',
  'src/sandbox',
  'src/workspace', // files, git, and the helper that changes them
  'src/attempt', // who may write for a goal, and what a call costs
  'src/model',
  'src/diagnostics',
  'src/checkpoints',
  'src/proof-place', // the original tree, and the place where proof runs
  'src/worktrees',
  'src/sealed', // criteria that the model never sees: archives, keys, encryption
  'src/store', // Postgres
  'src/intake', // what a request asks for, resolved
  'src/tools',
  'src/context', // what a request is made of
  'src/evidence', // baseline and gate
  'src/agents', // foreign agents, over the Agent Client Protocol
  'src/attest', // proofs as signed files, and their verification
  'src/check', // the judge alone: two trees and criteria, without a goal
  'src/forge', // pull requests and issues, where code is hosted
  'src/turn', // a slice of a turn
  'src/waiting',
  'src/webhooks',
  'src/anchors', // signed heads, and the places outside that keep them
  'src/archive', // a goal as one file
  'activities',
  'workflows',
  'src/temporal',
  'src/mcp',
  'src/api',
  'src/app', // composition roots
  'src/library',
  'src/stack',
  'src/cli',
] as const;

const under = (folders: readonly string[]): string => `^(${folders.join('|')})/`;

const layerRules: IConfiguration['forbidden'] = layers.slice(0, -1).map((layer, index) => ({
  name: `layer-${layer.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: under([layer]) },
  to: { path: under(layers.slice(index + 1)) },
}));

/** Where code may run follows from its folder; `npm run check:boundaries` proves it. */
export const rules = {
  forbidden: [
    ...layerRules,
    {
      name: 'pure-zone-has-no-effects',
      comment:
        'schema/, src/contract/, src/goal/, src/record/ and workflows/ decide; everything else acts.',
      severity: 'error',
      from: { path: '^(schema|src/contract|src/goal|src/record|workflows)/' },
      to: {
        path: '.*',
        pathNot:
          '^(schema|src/contract|src/goal|src/record|workflows)/|^node_modules/(xstate|zod|minimatch|croner|json-p3|@temporalio/(workflow|common))/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'goal-holds-what-workflows-bundle',
      comment: 'A pure rule that no workflow reaches belongs to src/record/.',
      severity: 'error',
      from: { path: '^workflows/index\\.ts$' },
      to: { path: '^src/goal/', reachable: false },
    },
    {
      name: 'rules-know-no-temporal',
      severity: 'error',
      from: { path: '^(schema|src/contract|src/goal|src/record)/' },
      to: { path: '^node_modules/@temporalio|^workflows/' },
    },
    {
      name: 'no-zod-in-workflows',
      comment:
        'zod multiplies the memory of a cached workflow; schemas give types there, globs match elsewhere.',
      severity: 'error',
      from: { path: '^(src/contract|src/goal|workflows)/' },
      to: {
        path: '^(node_modules/(zod|minimatch|croner|json-p3)|schema)/',
        pathNot: '^schema/problem\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-driver',
      comment: 'The package as it is loses and misplaces statements of connections that close.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { path: '^node_modules/postgres/', dependencyTypesNot: ['type-only'] },
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
      name: 'no-circles',
      comment: 'Imports of types count.',
      severity: 'error',
      from: { path: '^(schema|src|workflows|activities|demo)/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/|^src/store/generated/(driver|client/(internal|models))/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
} satisfies IConfiguration;
