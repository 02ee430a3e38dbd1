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

-- CreateIndex
CREATE UNIQUE INDEX "delegate_child_goal_id_key" ON "delegate"("child_goal_id");

-- CreateIndex
CREATE INDEX "delegate_parent_goal_id_idx" ON "delegate"("parent_goal_id");

-- CreateIndex
CREATE INDEX "delegate_state_idx" ON "delegate"("state");

-- CreateIndex
CREATE INDEX "goal_parent_goal_id_idx" ON "goal"("parent_goal_id");
