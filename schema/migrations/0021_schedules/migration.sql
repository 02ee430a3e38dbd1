-- CreateTable
CREATE TABLE "schedule" (
    "schedule_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "owner_role" TEXT NOT NULL,
    "sees_own" BOOLEAN NOT NULL,
    "cadence" JSONB NOT NULL,
    "overlap" TEXT NOT NULL,
    "catch_up" TEXT NOT NULL,
    "catch_up_seconds" INTEGER NOT NULL,
    "action" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "cursor_at" TIMESTAMPTZ(3) NOT NULL,
    "next_due_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "pause_reason" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" TEXT,
    "seal" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "told_revision" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("schedule_id")
);

-- CreateTable
CREATE TABLE "schedule_run" (
    "schedule_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "goal_id" TEXT,
    "message_id" TEXT,
    "asked_by" TEXT,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedule_run_pkey" PRIMARY KEY ("schedule_id","due_at")
);

-- CreateIndex
CREATE INDEX "schedule_next_due_at_idx" ON "schedule"("next_due_at");

-- A name is one schedule of its owner at a time.
CREATE UNIQUE INDEX "schedule_name_key" ON "schedule"("owner", "name") WHERE "deleted_at" IS NULL;

-- The few runs that are not settled.
CREATE INDEX "schedule_run_open_idx" ON "schedule_run"("schedule_id") WHERE "state" IN ('due', 'waiting');

-- A schedule that was deleted stays, and so does what became of each due time.
CREATE FUNCTION "refuse_schedule_loss"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'schedules and their runs are kept: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "schedule_kept"
    BEFORE DELETE OR TRUNCATE ON "schedule"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_schedule_loss"();

CREATE TRIGGER "schedule_run_kept"
    BEFORE DELETE OR TRUNCATE ON "schedule_run"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_schedule_loss"();
