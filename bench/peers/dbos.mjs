import { DBOS } from '@dbos-inc/dbos-sdk';

export async function open(databaseUrl, { begin, step }) {
  const loop = DBOS.registerWorkflow(
    async (turns) => {
      for (let turn = 0; turn < turns; turn += 1) {
        begin(DBOS.workflowID);
        for (const name of ['one', 'two', 'three']) await DBOS.runStep(step, { name });
      }
      begin(DBOS.workflowID);
    },
    { name: 'loop' },
  );
  DBOS.setConfig({
    name: 'peers',
    systemDatabaseUrl: databaseUrl,
    runAdminServer: false,
    logLevel: 'error',
  });
  await DBOS.launch();
  return {
    loop: async (turns, id) =>
      await (await DBOS.startWorkflow(loop, { workflowID: id })(turns)).getResult(),
    close: () => DBOS.shutdown(),
  };
}
