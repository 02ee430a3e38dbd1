import {
  type ChatRequest,
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
} from '../../demo/script.ts';

/** How a model tells this agent to work. */
export interface AgentTools {
  /** Its own tool for commands. */
  shell(command: string): ScriptedReply;
  /** Its own tool for files. @param path absolute */
  writeFile(path: string, content: string): ScriptedReply;
  /** What it calls a tool of the goal's. */
  goalTool(name: string): string;
}

const done = reply.text('Done.');

const isPrompt = ({ role, text }: ChatRequest['messages'][number]): boolean =>
  role === 'user' && text.includes('<goal id="');
/** Answers since the last prompt of the host, whatever the agent says to its model on its own. */
const stepIn = ({ messages }: ChatRequest): number =>
  messages.slice(messages.findLastIndex(isPrompt)).filter(({ role }) => role === 'assistant')
    .length;
const promptsIn = ({ messages }: ChatRequest): number => messages.filter(isPrompt).length;

/** The workspace, as the agent tells its model. */
function folderIn({ messages }: ChatRequest): string {
  const [found] = messages.flatMap(
    ({ text }) => /\/[\w/.-]*goalkeeper-world-\w+\/workspace-\w+/.exec(text) ?? [],
  );
  if (found === undefined) throw new Error('the agent does not say where it works');
  return found;
}

/** What the model says, by the first word of the goal's objective; the same for every agent. */
export function scriptFor({ shell, writeFile, goalTool }: AgentTools): Script {
  const writes = shell('printf 42 > answer.txt');
  const claim = reply.call(goalTool('attempt_completion'), { result: 'It is written.' });
  const scripts: Readonly<Record<string, Script>> = {
    /** Claims first, and works when that is refused, in the session that goes on. */
    early: (request) => {
      const isFirst = promptsIn(request) < 2;
      return [isFirst ? claim : writes, isFirst ? done : claim][stepIn(request)] ?? done;
    },
    /** By its own tool for files, twice, and by its shell in between. */
    edits: (request) => {
      const file = `${folderIn(request)}/answer.txt`;
      const more = shell(`grep -q '^41$' '${file}' && echo 42 > '${file}'`);
      const steps = [writeFile(file, '41\n'), more, writeFile(`${file}.md`, 'It is 42.\n'), claim];
      return steps[stepIn(request)] ?? done;
    },
    idle: () => done,
    costly: () => ({ ...done, usage: { input: 20_000, output: 10 } }),
    long: (request) => [shell('tail -f /dev/null')][stepIn(request)] ?? done,
    removes: (request) => [shell('rm -rf old && printf 42 > answer.txt')][stepIn(request)] ?? done,
    /** Takes a while, so that a death may come in the middle. */
    slow: async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return [shell('sleep 2'), shell('ls'), writes, claim][stepIn(request)] ?? done;
    },
    /** Signs a step off by what it has the host run. */
    signs: (request) => {
      const command = 'grep -q 42 answer.txt';
      const todos = [{ content: 'Write the answer', status: 'in_progress' }];
      const evidence = [{ kind: 'verification', summary: 'it is there', command }];
      const steps = [
        reply.call(goalTool('todo_write'), { todos }),
        writes,
        reply.call(goalTool('run_command'), { command }),
        reply.call(goalTool('complete_step'), { step: '1', result: 'Written.', evidence }),
        claim,
      ];
      return steps[stepIn(request)] ?? done;
    },
    writes: (request) => [writes, claim][stepIn(request)] ?? done,
  };
  return (request) => {
    if (request.tools.length === 0) return reply.text('A title');
    return scripts[objectiveOf(request).split(':')[0] ?? '']?.(request) ?? done;
  };
}
