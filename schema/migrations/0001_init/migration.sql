-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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

    CONSTRAINT "goal_pkey" PRIMARY KEY ("goal_id")
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

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("message_id")
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
CREATE TABLE "output" (
    "ref" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "output_pkey" PRIMARY KEY ("ref")
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

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("name")
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

    CONSTRAINT "worker_pkey" PRIMARY KEY ("worker_id")
);

-- CreateIndex
CREATE INDEX "goal_created_at_goal_id_idx" ON "goal"("created_at" DESC, "goal_id");

-- CreateIndex
CREATE INDEX "goal_status_created_at_idx" ON "goal"("status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "goal_thread_id_idx" ON "goal"("thread_id");

-- CreateIndex
CREATE INDEX "message_goal_id_turn_idx" ON "message"("goal_id", "turn");

-- CreateIndex
CREATE INDEX "inbox_goal_id_taken_by_turn_idx" ON "inbox"("goal_id", "taken_by_turn");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_goal_id_call_id_phase_key" ON "ledger"("goal_id", "call_id", "phase");

-- CreateIndex
CREATE INDEX "output_goal_id_idx" ON "output"("goal_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_goal_id_seq_key" ON "event"("goal_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "request_commit_id_key" ON "request"("commit_id");

-- CreateIndex
CREATE INDEX "question_goal_id_idx" ON "question"("goal_id");

-- CreateIndex
CREATE INDEX "approval_goal_id_idx" ON "approval"("goal_id");

-- CreateIndex
CREATE INDEX "approval_state_created_at_idx" ON "approval"("state", "created_at");

-- CreateIndex
CREATE INDEX "workspace_host_idx" ON "workspace"("host");

-- What Prisma's schema language can't say.

-- A thread has at most one current goal.
CREATE UNIQUE INDEX "goal_current_of_thread_key" ON "goal"("thread_id") WHERE "archived_at" IS NULL;

ALTER TABLE "goal" ADD CONSTRAINT "goal_status_check"
    CHECK ("status" IN ('active', 'paused', 'budget_limited', 'complete'));

-- Every append updates this row: room on its page keeps those updates off the indexes.
ALTER TABLE "journal" SET (fillfactor = 50);

-- The ledger is only ever added to.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "ledger_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
