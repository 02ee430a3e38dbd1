-- With a key each of these rows bears a seal from the moment that it is added.
ALTER TABLE "message" ADD COLUMN "seal" TEXT;
ALTER TABLE "todo_list" ADD COLUMN "seal" TEXT;
ALTER TABLE "requirement_list" ADD COLUMN "seal" TEXT;
ALTER TABLE "plan" ADD COLUMN "seal" TEXT;
ALTER TABLE "compaction" ADD COLUMN "seal" TEXT;
ALTER TABLE "inbox" ADD COLUMN "seal" TEXT;
ALTER TABLE "goal_attachment" ADD COLUMN "seal" TEXT;
ALTER TABLE "checkpoint" ADD COLUMN "seal" TEXT;
ALTER TABLE "notification" ADD COLUMN "seal" TEXT;
ALTER TABLE "schedule_run" ADD COLUMN "seal" TEXT;
ALTER TABLE "approval" ADD COLUMN "seal" TEXT;
ALTER TABLE "question" ADD COLUMN "seal" TEXT;
ALTER TABLE "rewind" ADD COLUMN "seal" TEXT;

-- A statement gives these their numbers, so no seal covers them: each seal stands once instead.
CREATE UNIQUE INDEX "message_seal_key" ON "message"("seal");
CREATE UNIQUE INDEX "todo_list_seal_key" ON "todo_list"("seal");
CREATE UNIQUE INDEX "requirement_list_seal_key" ON "requirement_list"("seal");
CREATE UNIQUE INDEX "plan_seal_key" ON "plan"("seal");

-- What was there before rows bore seals gets one; nothing else of a file that a goal holds changes.
DROP TRIGGER "goal_attachment_append_only" ON "goal_attachment";
CREATE TRIGGER "goal_attachment_append_only"
    BEFORE DELETE OR TRUNCATE ON "goal_attachment"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_attachment_change"();
CREATE TRIGGER "goal_attachment_unchanged"
    BEFORE UPDATE ON "goal_attachment"
    FOR EACH ROW WHEN (to_jsonb(OLD.*) - 'seal' IS DISTINCT FROM to_jsonb(NEW.*) - 'seal')
    EXECUTE FUNCTION "refuse_attachment_change"();

-- An order that waited when seals came to cover orders gets one in place of its digest.
DROP TRIGGER "goal_order_append_only" ON "goal_order";
CREATE TRIGGER "goal_order_append_only"
    BEFORE TRUNCATE ON "goal_order"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_order_change"();
CREATE TRIGGER "goal_order_unchanged"
    BEFORE UPDATE ON "goal_order"
    FOR EACH ROW WHEN (to_jsonb(OLD.*) - 'sha256' IS DISTINCT FROM to_jsonb(NEW.*) - 'sha256')
    EXECUTE FUNCTION "refuse_order_change"();

-- What a call takes is never less than nothing: a step that was added frees no budget.
ALTER TABLE "step" ADD CONSTRAINT "step_takes_something" CHECK (
    "estimated_input" >= 0 AND "reserved_output" >= 0 AND "estimated_output" >= 0
    AND "estimated_cost_usd" >= 0 AND "input_tokens" >= 0 AND "cached_input_tokens" >= 0
    AND "output_tokens" >= 0 AND "cost_usd" >= 0
) NOT VALID;
