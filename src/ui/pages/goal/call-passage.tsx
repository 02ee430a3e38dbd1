import { useState } from 'react';
import { callSeconds, callSeq, callSubject, editsIn } from '../../../../schema/call-subject.ts';
import { emptyScreen } from '../../../../schema/terminal-rows.ts';
import type { Call, Goal } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { Terminal } from '../../components/terminal.tsx';
import { ToolIcon } from '../../components/tool-icon.tsx';
import { useIsOffline, usePrinted } from '../../live/live-context.tsx';
import { useNow } from '../../live/now.ts';
import { useMayAct } from '../../session/session-context.tsx';
import { useKeys } from '../../shell/keys.ts';
import { callResult } from '../../view/call-text.ts';
import { duration } from '../../view/format.ts';
import { type Tone, toneClass } from '../../view/tone.ts';
import { EditPassage } from './edit-passage.tsx';
import { useFollowing } from './following.tsx';
import { StopCallDialog } from './stop-call-dialog.tsx';
import { useOpenCall } from './use-open-call.ts';

/** Prints as it runs, for seconds or minutes. */
export const isCommand = (tool: string): boolean =>
  tool === 'run_command' || tool.startsWith('check.');

/**
 * A call where it stands in its turn: a command that runs in the newest one, and the last one of it
 * that was heard to print, as a terminal; every other as a line.
 */
export function CallPassage(props: {
  readonly goal: Goal;
  readonly call: Call;
  readonly isLast: boolean;
  readonly isNewest: boolean;
}) {
  const { goal, call, isLast, isNewest } = props;
  const printed = usePrinted(goal.goalId, isNewest && isCommand(call.tool) ? call.callId : null);
  const isRunning = call.settledSeq === null && call.startedAt !== null;
  const isTerminal =
    isNewest && isCommand(call.tool) && (isRunning || (isLast && printed !== null));
  if (!isTerminal) {
    return (
      <>
        <CallLine call={call} />
        {editsIn(call).length === 0 ? null : <EditPassage call={call} isNewest={isNewest} />}
      </>
    );
  }
  return (
    <CallTerminal
      goalId={goal.goalId}
      call={call}
      screen={printed?.screen ?? emptyScreen}
      isRunning={isRunning}
    />
  );
}

function CallTerminal(props: {
  readonly goalId: string;
  readonly call: Call;
  readonly screen: typeof emptyScreen;
  readonly isRunning: boolean;
}) {
  const { goalId, call, isRunning } = props;
  const [stop, setStop] = useState<'asks' | 'asked' | null>(null);
  const isOffline = useIsOffline();
  const mayStop = useMayAct() && isRunning && call.tool === 'run_command';
  const askStop = () => setStop('asks');
  const open = useOpenCall();
  const following = useFollowing();
  const seq = callSeq(call);
  useKeys({
    '.': () => mayStop && stop === null && askStop(),
  });
  return (
    <>
      <Terminal
        command={callSubject(call)}
        mark={
          isRunning ? <i className="spinner" aria-hidden="true" /> : <ToolIcon tool={call.tool} />
        }
        facts={isRunning ? <Elapsed since={call.startedAt} /> : <Outcome call={call} />}
        screen={props.screen}
        isRunning={isRunning}
        isFollowing={isRunning && following.isOn}
        onFollow={following.set}
        onStop={mayStop ? askStop : undefined}
        isStopping={stop === 'asked' || isOffline}
        onWhole={isRunning ? undefined : () => open(seq)}
        place={isRunning ? undefined : `kept whole as #${seq}`}
      />
      {stop === 'asks' && isRunning ? (
        <StopCallDialog
          goalId={goalId}
          callId={call.callId}
          command={callSubject(call)}
          onAsked={() => setStop('asked')}
          onClose={() => setStop((now) => (now === 'asks' ? null : now))}
        />
      ) : null}
    </>
  );
}

/** Ticks, and is not read aloud: the head of the pane says what runs. */
function Elapsed({ since }: { readonly since: string | null }) {
  const now = useNow();
  if (since === null) return null;
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  return (
    <span className="text-muted tabular" aria-hidden="true">
      {seconds < 60 ? `${seconds} s` : duration(seconds)}
    </span>
  );
}

/** A command that ends well is plain: green means that something is proved. */
const lookOf = (tone: Tone): string => {
  const isBad = tone === 'bad';
  return isBad ? `text-strong ${toneClass(tone)}` : 'text-secondary';
};

function Outcome({ call }: { readonly call: Call }) {
  const { text, tone } = callResult(call);
  const seconds = callSeconds(call);
  return (
    <>
      <span className={lookOf(tone)}>{text}</span>
      <span className="text-muted tabular">{seconds === null ? '' : duration(seconds)}</span>
    </>
  );
}

function CallLine({ call }: { readonly call: Call }) {
  const open = useOpenCall();
  const { text, tone } = callResult(call);
  const seconds = callSeconds(call);
  const seq = callSeq(call);
  return (
    <PlainButton className="inline-call" onClick={() => open(seq)} title="Open in the ledger">
      <ToolIcon tool={call.tool} />
      <span className="truncate">
        <span className="text-muted">{call.tool} </span>
        <span className="mono">{callSubject(call)}</span>
      </span>
      <span className={lookOf(tone)}>{text === 'ok' ? '' : text}</span>
      <span className="call-seconds text-muted tabular">
        {seconds === null ? '' : duration(seconds)}
      </span>
      <span className="hash">#{seq}</span>
    </PlainButton>
  );
}

/** The model asked for it, and no row of the ledger tells of it yet. */
export function AskedLine({ tool, input }: { readonly tool: string; readonly input: string }) {
  return (
    <div className="inline-call asked">
      <ToolIcon tool={tool} />
      <span className="truncate">
        <span className="text-muted">{tool} </span>
        <span className="mono">
          {callSubject({ tool, arguments: argumentsIn(input), receipt: null })}
        </span>
      </span>
      <span className="text-muted">not begun</span>
    </div>
  );
}

function argumentsIn(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
