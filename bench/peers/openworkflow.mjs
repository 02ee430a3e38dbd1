import { OpenWorkflow } from 'openworkflow';
import { BackendPostgres } from 'openworkflow/postgres';

export async function open(databaseUrl, { begin, step: work }) {
  const backend = await BackendPostgres.connect(databaseUrl);
  const runtime = new OpenWorkflow({ backend });
  const loop = runtime.defineWorkflow({ name: 'loop' }, async ({ input, step }) => {
    for (let turn = 0; turn < input.turns; turn += 1) {
      begin(input.id);
      for (const name of ['one', 'two', 'three']) await step.run({ name: `${name}-${turn}` }, work);
    }
    begin(input.id);
  });
  const worker = runtime.newWorker({ concurrency: 50 });
  await worker.start();
  return {
    loop: async (turns, id) => await (await loop.run({ turns, id })).result(),
    async close() {
      await worker.stop();
      await backend.stop();
    },
  };
}
