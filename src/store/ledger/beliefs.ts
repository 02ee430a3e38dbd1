import type { DB } from '../generated/tables.ts';

/**
 * How the service knows that a row is its own. A new table is a type error here until it says so:
 * whoever reads from it may trust it by this and nothing else.
 */
export type Belief =
  /** Chained, with a sealed end: the ledger, seals, the security log, anchors. */
  | 'chain'
  /** Columns in the goal's own chain of seals, anew with each decision. */
  | 'decided'
  /** Numbered seals beside the row, anew with each change; the newest counts. */
  | 'counted'
  /** A seal in the row, made with it: it is written once. */
  | 'written'
  /** A seal in the row, made anew by each change. */
  | 'own'
  /** The name is the hash of what the row holds. */
  | 'hash'
  /** Nothing vouches for it, and why nothing rests on it. */
  | { readonly free: string };

export const BELIEFS: Readonly<Record<keyof DB, Belief>> = {
  anchor: 'chain',
  anchor_delivery: { free: 'a place is asked what it holds before anything is added' },
  anchor_leaf: 'chain',
  approval: 'written',
  attachment: { free: 'an upload that nothing holds yet; a goal that takes it seals what it took' },
  attachment_content: 'hash',
  attempt: { free: 'a process that it names is ended only if it runs as a helper' },
  call_stop: { free: 'ends a command, which proves nothing then' },
  check_order: 'own',
  check_run: { free: 'is shown to who asked, before there is a goal' },
  checkpoint: 'written',
  commit: { free: 'says that an order was taken: a forged one refuses an order' },
  compaction: 'written',
  criterion_baseline: 'counted',
  decision: 'decided',
  delegate: 'counted',
  delivery: { free: 'an address that no target has is sent nothing' },
  dispute: 'decided',
  election: 'own',
  event: { free: 'is shown, and decides nothing' },
  following_goals: 'decided',
  goal: 'decided',
  goal_attachment: 'written',
  goal_order: 'own',
  inbound_trigger: 'counted',
  inbox: 'written',
  installation: { free: 'names task queues: under another name there is no work' },
  journal: 'counted',
  kept_spend: {
    free: 'is written by a function of the owner alone, from steps that the service’s user adds',
  },
  ledger: 'chain',
  message: 'written',
  notification: 'written',
  output_chunk: {
    free: 'none is changed, and one that is added between them is not read; verify compares the hash of all',
  },
  plan: 'written',
  proof_finding: 'counted',
  pool: { free: 'which machine serves it: another name makes workers wait, or end and wait' },
  question: 'written',
  removed_goal: {
    free: 'is written by a function of the owner alone; that retention did it, the security log says',
  },
  request: { free: 'an order’s seal covers its body; its answer goes to who asked' },
  requirement_list: 'written',
  rewind: 'written',
  row_seal: 'chain',
  run: { free: 'says which runs held a goal: a forged one refuses a run' },
  schedule: 'counted',
  schedule_run: 'written',
  seal: 'chain',
  sealed_criterion: 'own',
  sealed_run: 'own',
  sealing: 'chain',
  security_head: 'chain',
  security_log: 'chain',
  sent_prompt: { free: 'is shown: what requests have in common' },
  session: 'counted',
  session_report: { free: 'is what a session says of itself, and never proof' },
  spend_window: {
    free: 'is written by functions of the owner alone, from steps that the service’s user adds',
  },
  step: { free: 'what a model said is in the conversation, what it cost in the usage' },
  stored_rule: 'counted',
  stuck_run: { free: 'is shown: a look at Temporal writes it, and the next one takes it away' },
  todo_list: 'written',
  token: 'own',
  tool_pin: 'counted',
  trigger_delivery: 'counted',
  turn: { free: 'says which turn is open: a turn begins and ends once, by its fence' },
  worker: { free: 'what a worker says of itself; it takes only what it can open' },
  workspace: 'counted',
  workspace_queue: { free: 'who is next: a lease is taken under the workspace’s lock' },
  workspace_seal: 'chain',
};
