import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';

export async function open(databaseUrl, { begin, step }) {
  const checkpointer = PostgresSaver.fromConnString(databaseUrl);
  await checkpointer.setup();
  const node = async () => ({ done: await step() });
  const graph = new StateGraph(Annotation.Root({ done: Annotation() }))
    .addNode('one', node)
    .addNode('two', node)
    .addNode('three', node)
    .addEdge(START, 'one')
    .addEdge('one', 'two')
    .addEdge('two', 'three')
    .addEdge('three', END)
    .compile({ checkpointer });
  return {
    async loop(turns, id) {
      for (let turn = 0; turn < turns; turn += 1) {
        begin(id);
        await graph.invoke({ done: turn }, { configurable: { thread_id: id }, durability: 'sync' });
      }
      begin(id);
    },
    close: () => checkpointer.end(),
  };
}
