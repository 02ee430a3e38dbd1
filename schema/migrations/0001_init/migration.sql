-- CreateTable
CREATE TABLE "goal" (
    "goal_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "parent_goal_id" TEXT,
    "objective" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "fallback_model" TEXT,
    "workspace_name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "snapshot" JSONB NOT NULL,
    "counters" JSONB NOT NULL,
    "pause" JSONB,
    "activity" JSONB NOT NULL,
    "completion" JSONB,
    "criteria" JSONB NOT NULL,
    "criteria_revision" INTEGER NOT NULL DEFAULT 1,
    "baseline" JSONB,
    "budget" JSONB NOT NULL,
    "policy" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "run_id" TEXT,
    "created_by" TEXT NOT NULL,
    "created_by_role" TEXT NOT NULL,
    "isolation" TEXT NOT NULL DEFAULT 'none',
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "detects_criteria" BOOLEAN NOT NULL DEFAULT false,
    "text_tokens" BOOLEAN NOT NULL DEFAULT false,
    "notify" JSONB NOT NULL DEFAULT '[]',
    "tool_rules" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "goal_pkey" PRIMARY KEY ("goal_id")
);

-- CreateTable
CREATE TABLE "delegate" (
    "delegate_id" TEXT NOT NULL,
    "parent_goal_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "task" TEXT NOT NULL,
    "files" JSONB NOT NULL,
    "mode" TEXT NOT NULL,
    "returns" TEXT NOT NULL,
    "delay_seconds" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "wanted" TEXT NOT NULL DEFAULT 'running',
    "is_held_by_parent" BOOLEAN NOT NULL DEFAULT false,
    "child_goal_id" TEXT,
    "hop" INTEGER,
    "is_in_chain" BOOLEAN NOT NULL DEFAULT true,
    "starts_at" TIMESTAMPTZ(3),
    "reserved" JSONB,
    "outcome" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "delegate_pkey" PRIMARY KEY ("delegate_id")
);

-- CreateTable
CREATE TABLE "criterion_baseline" (
    "goal_id" TEXT NOT NULL,
    "criterion_id" TEXT NOT NULL,
    "body" JSONB NOT NULL,

    CONSTRAINT "criterion_baseline_pkey" PRIMARY KEY ("goal_id","criterion_id")
);

-- CreateTable
CREATE TABLE "basis_text" (
    "goal_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "basis_text_pkey" PRIMARY KEY ("goal_id","sha256")
);

-- CreateTable
CREATE TABLE "basis_change" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "changes" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "basis_change_pkey" PRIMARY KEY ("goal_id","turn")
);

-- CreateTable
CREATE TABLE "journal" (
    "goal_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "token" INTEGER NOT NULL DEFAULT 0,
    "is_open" BOOLEAN NOT NULL DEFAULT true,
    "ledger_seq" INTEGER NOT NULL DEFAULT 0,
    "ledger_head" TEXT NOT NULL,
    "message_seq" INTEGER NOT NULL DEFAULT 0,
    "event_seq" INTEGER NOT NULL DEFAULT 0,
    "turn" INTEGER NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "cached_input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
    "turns" INTEGER NOT NULL DEFAULT 0,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "active_ms" BIGINT NOT NULL DEFAULT 0,
    "attempt_active_ms" BIGINT NOT NULL DEFAULT 0,
    "goal_revision" INTEGER NOT NULL DEFAULT 1,
    "isolation" TEXT,

    CONSTRAINT "journal_pkey" PRIMARY KEY ("goal_id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "goal_id" TEXT NOT NULL,
    "token" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "helper_pid" INTEGER,
    "helper_started_at" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "repeated_call_id" TEXT,
    "helper_is_init" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("goal_id","token")
);

-- CreateTable
CREATE TABLE "turn" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "inbox" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "turn_pkey" PRIMARY KEY ("goal_id","turn")
);

-- CreateTable
CREATE TABLE "step" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "token" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "estimated_input" INTEGER NOT NULL,
    "reserved_output" INTEGER NOT NULL,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
    "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    "prices_version" TEXT,
    "finish_reason" TEXT,
    "error" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "estimated_cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
    "estimated_output" INTEGER NOT NULL DEFAULT 0,
    "kind" TEXT NOT NULL DEFAULT 'turn',

    CONSTRAINT "step_pkey" PRIMARY KEY ("goal_id","turn","step","attempt")
);

-- CreateTable
CREATE TABLE "message" (
    "goal_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "turn" INTEGER NOT NULL,
    "step" INTEGER,
    "voice" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_pkey" PRIMARY KEY ("goal_id","seq")
);

-- CreateTable
CREATE TABLE "compaction" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "turn" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "shown" JSONB NOT NULL,
    "notes" TEXT,
    "notes_by" TEXT,
    "replaced_through" INTEGER NOT NULL,
    "tokens_before" INTEGER NOT NULL,
    "tokens_after" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compaction_pkey" PRIMARY KEY ("goal_id","number")
);

-- CreateTable
CREATE TABLE "inbox" (
    "message_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "voice" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "delivery" TEXT NOT NULL,
    "question_id" TEXT,
    "taken_by_turn" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seq" BIGSERIAL NOT NULL,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "election" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "call_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "seconds" INTEGER,
    "until" TIMESTAMPTZ(3),
    "refusal" JSONB,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "looked_at" TIMESTAMPTZ(3),
    "seen" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "election_pkey" PRIMARY KEY ("goal_id","turn")
);

-- CreateTable
CREATE TABLE "ledger" (
    "goal_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "phase" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "token" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "effect" TEXT NOT NULL,
    "outcome" TEXT,
    "body" JSONB NOT NULL,
    "output_ref" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "previous" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "ledger_pkey" PRIMARY KEY ("goal_id","seq")
);

-- CreateTable
CREATE TABLE "output_chunk" (
    "ref" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "next_head" BYTEA NOT NULL,

    CONSTRAINT "output_chunk_pkey" PRIMARY KEY ("ref","start")
);

-- CreateTable
CREATE TABLE "todo_list" (
    "goal_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "items" JSONB NOT NULL,
    "call_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "todo_list_pkey" PRIMARY KEY ("goal_id","revision")
);

-- CreateTable
CREATE TABLE "plan" (
    "goal_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "markdown" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("goal_id","revision")
);

-- CreateTable
CREATE TABLE "decision" (
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "rule" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "outcome" JSONB NOT NULL,
    "score" JSONB,
    "missing" JSONB NOT NULL,
    "usage" JSONB NOT NULL,
    "ledger_seq" INTEGER NOT NULL,
    "ledger_head" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("goal_id","turn")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "goal_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commit" (
    "goal_id" TEXT NOT NULL,
    "commit_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "result" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "commit_pkey" PRIMARY KEY ("goal_id","commit_id")
);

-- CreateTable
CREATE TABLE "run" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "run_id" TEXT NOT NULL,
    "first_turn" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_pkey" PRIMARY KEY ("goal_id","number")
);

-- CreateTable
CREATE TABLE "request" (
    "principal" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "commit_id" TEXT NOT NULL,
    "goal_id" TEXT,
    "http_status" INTEGER,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "request_pkey" PRIMARY KEY ("principal","route","key")
);

-- CreateTable
CREATE TABLE "question" (
    "question_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "call_id" TEXT,
    "text" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "answer" TEXT,
    "answered_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3),
    "default_answer" TEXT,

    CONSTRAINT "question_pkey" PRIMARY KEY ("question_id")
);

-- CreateTable
CREATE TABLE "approval" (
    "approval_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "call_id" TEXT,
    "data" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "decided_by" TEXT,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_pkey" PRIMARY KEY ("approval_id")
);

-- CreateTable
CREATE TABLE "notification" (
    "notification_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "is_addressed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("notification_id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "notification_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("notification_id","url")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "goal_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "turn" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "commit_hash" TEXT NOT NULL,
    "write_seq" BIGINT NOT NULL,
    "todo_revision" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "left_out" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "unread" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("goal_id","name")
);

-- CreateTable
CREATE TABLE "rewind" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "commit_id" TEXT NOT NULL,
    "checkpoint" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "ordered_by" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "write_seq" BIGINT,

    CONSTRAINT "rewind_pkey" PRIMARY KEY ("goal_id","number")
);

-- CreateTable
CREATE TABLE "workspace" (
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "task_queue" TEXT NOT NULL,
    "marker" TEXT NOT NULL,
    "lease_goal_id" TEXT,
    "lease_epoch" INTEGER,
    "leased_at" TIMESTAMPTZ(3),
    "write_seq" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "branch" TEXT,
    "is_repository" BOOLEAN NOT NULL DEFAULT false,
    "origin" TEXT,
    "result" JSONB,
    "worktree_problem" TEXT,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "workspace_queue" (
    "ticket" BIGSERIAL NOT NULL,
    "workspace" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,

    CONSTRAINT "workspace_queue_pkey" PRIMARY KEY ("ticket")
);

-- CreateTable
CREATE TABLE "worker" (
    "worker_id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "task_queues" JSONB NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "isolation" TEXT NOT NULL DEFAULT 'none',
    "models" JSONB NOT NULL DEFAULT '[]',
    "is_draining" BOOLEAN NOT NULL DEFAULT false,
    "slices" INTEGER NOT NULL DEFAULT 0,
    "slots" INTEGER NOT NULL DEFAULT 0,
    "tools" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "worker_pkey" PRIMARY KEY ("worker_id")
);

-- CreateTable
CREATE TABLE "session" (
    "secret_hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "token_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "console_hash" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateIndex
CREATE INDEX "goal_created_at_goal_id_idx" ON "goal"("created_at" DESC, "goal_id");

-- CreateIndex
CREATE INDEX "goal_updated_at_goal_id_idx" ON "goal"("updated_at" DESC, "goal_id");

-- CreateIndex
CREATE INDEX "goal_status_created_at_idx" ON "goal"("status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "goal_thread_id_idx" ON "goal"("thread_id");

-- CreateIndex
CREATE INDEX "goal_parent_goal_id_idx" ON "goal"("parent_goal_id");

-- CreateIndex
CREATE UNIQUE INDEX "delegate_child_goal_id_key" ON "delegate"("child_goal_id");

-- CreateIndex
CREATE INDEX "delegate_parent_goal_id_idx" ON "delegate"("parent_goal_id");

-- CreateIndex
CREATE INDEX "delegate_state_idx" ON "delegate"("state");

-- CreateIndex
CREATE INDEX "step_started_at_idx" ON "step" USING BRIN ("started_at");

-- CreateIndex
CREATE INDEX "message_goal_id_turn_idx" ON "message"("goal_id", "turn");

-- CreateIndex
CREATE INDEX "inbox_goal_id_taken_by_turn_idx" ON "inbox"("goal_id", "taken_by_turn");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_goal_id_call_id_phase_key" ON "ledger"("goal_id", "call_id", "phase");

-- CreateIndex
CREATE UNIQUE INDEX "event_goal_id_seq_key" ON "event"("goal_id", "seq");

-- CreateIndex
CREATE INDEX "commit_goal_id_revision_idx" ON "commit"("goal_id", "revision" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "run_goal_id_run_id_key" ON "run"("goal_id", "run_id");

-- CreateIndex
CREATE UNIQUE INDEX "request_commit_id_key" ON "request"("commit_id");

-- CreateIndex
CREATE INDEX "question_goal_id_idx" ON "question"("goal_id");

-- CreateIndex
CREATE INDEX "approval_goal_id_idx" ON "approval"("goal_id");

-- CreateIndex
CREATE INDEX "approval_state_created_at_idx" ON "approval"("state", "created_at");

-- CreateIndex
CREATE INDEX "notification_is_addressed_created_at_idx" ON "notification"("is_addressed", "created_at");

-- CreateIndex
CREATE INDEX "notification_goal_id_idx" ON "notification"("goal_id");

-- CreateIndex
CREATE INDEX "delivery_state_next_at_idx" ON "delivery"("state", "next_at");

-- CreateIndex
CREATE INDEX "delivery_goal_id_idx" ON "delivery"("goal_id");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_number_key" ON "checkpoint"("number");

-- CreateIndex
CREATE UNIQUE INDEX "rewind_commit_id_key" ON "rewind"("commit_id");

-- CreateIndex
CREATE INDEX "workspace_host_idx" ON "workspace"("host");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_queue_goal_id_key" ON "workspace_queue"("goal_id");

-- CreateIndex
CREATE INDEX "workspace_queue_workspace_ticket_idx" ON "workspace_queue"("workspace", "ticket");

-- What Prisma's schema language can't say.

-- A thread has at most one current goal.
CREATE UNIQUE INDEX "goal_current_of_thread_key" ON "goal"("thread_id") WHERE "archived_at" IS NULL;

ALTER TABLE "goal" ADD CONSTRAINT "goal_status_check"
    CHECK ("status" IN ('active', 'paused', 'budget_limited', 'complete'));

-- Calls that are under way are few beside those that ended.
CREATE INDEX "step_sent" ON "step"("goal_id") WHERE "state" = 'sent';

-- Every append updates this row: room on its page keeps those updates off the indexes.
ALTER TABLE "journal" SET (fillfactor = 50);

-- Compressing a piece would cost more than the disk that it saves.
ALTER TABLE "output_chunk" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- The ledger is only ever added to.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "ledger_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
