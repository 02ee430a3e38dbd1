import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { startFromTemplate } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LeaveButton } from '../../components/leave.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useToast } from '../../shell/toasts.tsx';
import { givenValues } from '../../view/template-form.ts';
import { TemplateFields } from '../schedules/template-fields.tsx';
import { useTemplate } from '../schedules/use-template.ts';

/** Starts the goal that a template of a workspace's file is; what it starts is shown first. */
export function TemplateDialog(props: {
  readonly workspace: string;
  readonly onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const chosen = useTemplate(true, props.workspace);
  const [isChecked, setChecked] = useState(false);
  const key = useRef(crypto.randomUUID());
  const { form, template, start } = chosen;
  const starting = useAct({
    mutationFn: () => {
      const values = template === undefined ? {} : givenValues(form, template);
      const path = { workspace: form.workspace, template: form.template };
      return answerOf(startFromTemplate(path, values, key.current));
    },
    onSuccess: (goal) => {
      patchGoal(client, goal);
      void client.invalidateQueries({ queryKey: keys.allGoals });
      void client.invalidateQueries({ queryKey: keys.counts });
      toast(`Started as ${goal.goalId}.`);
      props.onClose();
      navigate(`/goals/${goal.goalId}`);
    },
  });
  const submit = () => {
    setChecked(true);
    if (start !== undefined) starting.mutate();
  };
  // Another choice is another request; an unchanged one after a lost answer is the same.
  const change = () => {
    key.current = crypto.randomUUID();
    starting.reset();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={props.onClose}
      title="Start from a template"
      footer={
        <>
          <span className="grow" />
          <LeaveButton onLeave={props.onClose} />
          <Button look="primary" disabled={starting.isPending || isOffline} onClick={submit}>
            {starting.isPending ? 'Starting…' : 'Start goal'}
          </Button>
        </>
      }
    >
      <TemplateFields
        chosen={chosen}
        problems={isChecked ? chosen.problems : {}}
        onChange={change}
      />
      {starting.isError ? (
        <p className="field-error" role="alert">
          {starting.error.message}
        </p>
      ) : null}
    </Dialog>
  );
}
