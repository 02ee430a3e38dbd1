import type { Fence } from '../contract/fence.ts';
import type { GoalState } from '../contract/goal-state.ts';
import type { JournalPort, StepPlace } from '../contract/journal.ts';
import type { ModelAnswer, ModelPort } from '../contract/model.ts';
import type { RecordPort, SettledSlice } from '../contract/record.ts';
import type { StepEnd, StepOf, WorkObserver } from './work-observer.ts';

/** Times each call; how it ended is `answer`, `aborted` or the kind of trouble. */
export function observedModel<Port extends ModelPort>(port: Port, observer: WorkObserver): Port {
  return {
    ...port,
    async call(request) {
      const begun = performance.now();
      const answer = await port.call(request);
      const seconds = (performance.now() - begun) / 1000;
      observer.modelAnswered?.({ model: request.model, outcome: outcomeOf(answer), seconds });
      return answer;
    },
  };
}

const outcomeOf = (answer: ModelAnswer): string =>
  answer.kind === 'trouble' ? answer.trouble.kind : answer.kind;

export function observedJournal(port: JournalPort, observer: WorkObserver): JournalPort {
  const steps = openSteps();
  const ended = (fence: Fence, place: StepPlace, end: StepEnd) =>
    observer.stepEnded?.(steps.close(fence, place), end);
  return {
    ...port,
    async openTurn(fence, turn) {
      const kind = await port.openTurn(fence, turn);
      observer.turnOpened?.({ goalId: fence.goalId, turn: turn.turn, kind });
      return kind;
    },
    async beginStep(fence, step) {
      const hasBegun = await port.beginStep(fence, step);
      if (step.settles !== undefined)
        observer.callEnded?.({ goalId: fence.goalId, ...step.settles });
      if (hasBegun) observer.stepBegun?.(steps.open(fence, step, step.model));
      return hasBegun;
    },
    async commitStep(fence, step) {
      const committed = await port.commitStep(fence, step);
      const { finishReason, usage, firstCall } = step;
      ended(fence, step, { outcome: 'committed', finishReason, usage });
      if (firstCall !== undefined && committed.hasBegun)
        observer.callBegun?.({ goalId: fence.goalId, ...firstCall });
      return committed;
    },
    async failStep(fence, step) {
      await port.failStep(fence, step);
      const outcome = step.trouble?.kind ?? 'cut';
      ended(fence, step, { outcome, finishReason: null, usage: step.usage });
    },
    async loseStep(fence, step) {
      await port.loseStep(fence, step);
      ended(fence, step, { outcome: 'lost', finishReason: null, usage: step.usage });
    },
    async commitCompaction(fence, done) {
      await port.commitCompaction(fence, done);
      if (done.call === null) return;
      const { turn, model, call } = done;
      const place = { turn, kind: 'compaction', step: call.step, attempt: call.attempt } as const;
      steps.open(fence, place, model);
      ended(fence, place, { outcome: 'committed', ...call });
    },
    async startCall(fence, call) {
      await port.startCall(fence, call);
      observer.callBegun?.({ goalId: fence.goalId, ...call });
    },
    async settleCall(fence, call) {
      const row = await port.settleCall(fence, call);
      observer.callEnded?.({ goalId: fence.goalId, ...call });
      return row;
    },
  };
}

/** More steps than this are not under way in one worker. */
const MOST_OPEN = 10_000;

/** The model of a step is said where it begins, and asked for where it ends. */
function openSteps() {
  const models = new Map<string, string>();
  const keyOf = ({ goalId }: Fence, { turn, kind, step, attempt }: StepPlace): string =>
    `${goalId} ${turn} ${kind} ${step} ${attempt}`;
  const stepOf = ({ goalId }: Fence, place: StepPlace, model: string): StepOf => {
    const { turn, kind, step, attempt } = place;
    return { goalId, turn, kind, step, attempt, model };
  };
  return {
    open(fence: Fence, place: StepPlace, model: string): StepOf {
      models.set(keyOf(fence, place), model);
      // Those that another worker ends are never taken out.
      const [oldest] = models.size > MOST_OPEN ? models.keys() : [];
      if (oldest !== undefined) models.delete(oldest);
      return stepOf(fence, place, model);
    },
    close(fence: Fence, place: StepPlace): StepOf {
      const key = keyOf(fence, place);
      const model = models.get(key) ?? 'unknown';
      models.delete(key);
      return stepOf(fence, place, model);
    },
  };
}

export function observedRecord(port: RecordPort, observer: WorkObserver): RecordPort {
  const seen = ({ goalId, chart }: GoalState) => {
    if (chart.value === 'complete') observer.goalCompleted?.(goalId);
  };
  const settled = ({ state, turn }: SettledSlice) => {
    observer.turnSettled?.({ goalId: state.goalId, turn: turn.facts.turn }, turn);
    seen(state);
  };
  return {
    ...port,
    async recordTurn(execution, turn) {
      const state = await port.recordTurn(execution, turn);
      if (state !== null) settled({ state, turn });
      return state;
    },
    async settleSlice(execution, fence, slice) {
      const result = await port.settleSlice(execution, fence, slice);
      if (result !== null) settled(result);
      return result;
    },
    async commitMutation(execution, order, goalId) {
      const result = await port.commitMutation(execution, order, goalId);
      seen(result.state);
      return result;
    },
  };
}

/** All of them hear the same. */
export function observers(...all: readonly WorkObserver[]): WorkObserver {
  return {
    turnOpened: (turn) => all.forEach((one) => void one.turnOpened?.(turn)),
    stepBegun: (step) => all.forEach((one) => void one.stepBegun?.(step)),
    stepEnded: (step, end) => all.forEach((one) => void one.stepEnded?.(step, end)),
    callBegun: (call) => all.forEach((one) => void one.callBegun?.(call)),
    callEnded: (call) => all.forEach((one) => void one.callEnded?.(call)),
    modelAnswered: (call) => all.forEach((one) => void one.modelAnswered?.(call)),
    turnSettled: (turn, settled) => all.forEach((one) => void one.turnSettled?.(turn, settled)),
    goalCompleted: (goalId) => all.forEach((one) => void one.goalCompleted?.(goalId)),
  };
}
