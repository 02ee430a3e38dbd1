import { expect, test } from 'vitest';
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';

test('workflow code bundles, so it imports nothing of Node', async () => {
  const code = await bundleWorkflows();
  expect(code).toContain('goalWorkflow');
}, 60_000);

test('zod is not in the workflow bundle, where it would cost every cached goal its memory', async () => {
  const code = await bundleWorkflows();
  expect(code).not.toContain('node_modules/zod');
  expect(code).toContain('node_modules/xstate');
}, 60_000);
